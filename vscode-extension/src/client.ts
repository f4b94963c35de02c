// The connection to the server: one program, started, watched and stopped.

import * as path from 'node:path';
import * as vscode from 'vscode';
import {
    CloseAction,
    ErrorAction,
    ExecuteCommandRequest,
    LanguageClient,
    RevealOutputChannelOn,
    State,
    type CloseHandlerResult,
    type ErrorHandler,
    type LanguageClientOptions,
    type ServerOptions,
} from 'vscode-languageclient/node';

/** A server that stops this often within `CRASH_PERIOD` is not started again. */
const CRASHES = 4;
const CRASH_PERIOD = 3 * 60 * 1000;

/**
 * Makes a client for the server `program`. `complain` shows the user what went wrong after the start;
 * a start that fails is a rejected promise.
 */
export function createClient(
    program: string,
    output: vscode.LogOutputChannel,
    messages: vscode.LogOutputChannel,
    complain: (problem: string) => void,
): LanguageClient {
    const server: ServerOptions = {
        command: program,
        args: ['lsp'],
        // Not in the workspace, whose files should have no say in how a program is loaded.
        options: { cwd: path.dirname(program) },
    };
    const options: LanguageClientOptions = {
        documentSelector: [
            { language: 'stubborn', scheme: 'file' },
            { language: 'stubborn', scheme: 'untitled' },
        ],
        synchronize: { configurationSection: 'stubborn' },
        // The first check must not run with other settings than the next one.
        initializationOptions: {
            cache: vscode.workspace.getConfiguration('stubborn').get('cache'),
            check: vscode.workspace.getConfiguration('stubborn').get('check'),
            files: vscode.workspace.getConfiguration('stubborn').get('files'),
            debugger: true,
            tellStanding: true,
            lenses: vscode.workspace.getConfiguration('stubborn').get('lenses'),
            panel: true,
        },
        // A hover may lead to the trace panel, and to nothing else.
        markdown: { isTrusted: { enabledCommands: ['stubborn.showTrace'] } },
        outputChannel: output,
        traceOutputChannel: messages,
        revealOutputChannelOn: RevealOutputChannelOn.Never,
        initializationFailedHandler: () => false,
        // The line at the window's foot says how far the searches are, and stops them: said twice it is only longer.
        middleware: { handleWorkDoneProgress: () => undefined },
        errorHandler: new CrashHandler(() => client.state === State.Running, program, complain),
    };
    const client = new QuietClient('stubborn', 'Stubborn', server, options);
    return client;
}

/**
 * A client that writes what goes wrong to its output, and leaves it to the extension to tell the
 * user: the base class would show a second message, and one that says less.
 */
class QuietClient extends LanguageClient {
    override error(message: string, data?: unknown): void {
        super.error(message, data, false);
    }
}

class CrashHandler implements ErrorHandler {
    private readonly crashes: number[] = [];

    constructor(
        private readonly isRunning: () => boolean,
        private readonly program: string,
        private readonly complain: (problem: string) => void,
    ) {}

    error(_error: Error, _message: unknown, count: number | undefined): { action: ErrorAction; handled: boolean } {
        return { action: (count ?? 0) <= 3 ? ErrorAction.Continue : ErrorAction.Shutdown, handled: true };
    }

    closed(): CloseHandlerResult {
        if (!this.isRunning()) {
            // It never came up: whoever started it is told by the rejected promise.
            return { action: CloseAction.DoNotRestart, handled: true };
        }
        const now = Date.now();
        this.crashes.push(now);
        if (this.crashes.filter(crash => now - crash < CRASH_PERIOD).length < CRASHES) {
            return { action: CloseAction.Restart, handled: true };
        }
        this.complain(
            `The server ${this.program} has stopped ${CRASHES} times within three minutes and is not started again. ` +
                'Its output says why.',
        );
        return { action: CloseAction.DoNotRestart, handled: true };
    }
}

/** Asks the server to check the properties of `file` for as long as it takes. */
export async function checkWithoutLimit(client: LanguageClient, file: vscode.Uri): Promise<void> {
    await client.sendRequest(ExecuteCommandRequest.type, {
        command: 'stubborn.checkWithoutLimit',
        arguments: [client.code2ProtocolConverter.asUri(file)],
    });
}
