// The extension's two ends, and what the user is told.

import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { createClient } from './client';
import { debugging } from './debugging';
import { installedServer } from './installed';
import { registerTracePanel } from './panel/panel';
import { registerPictures } from './picture/panel';
import { Explorer } from './explorer/explorer';
import { mismatchOf } from './explorer/version';
import { registerWalkthrough } from './explorer/walkthrough';
import { whenWanted } from './language';

let session: Session | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
    session = new Session(context);
    const running = session;
    context.subscriptions.push(
        ...debugging(context, () => running.mismatch()),
        vscode.commands.registerCommand('stubborn.restartServer', () => running.restart()),
        vscode.commands.registerCommand('stubborn.showOutput', () => running.output.show()),
        vscode.workspace.onDidChangeConfiguration(change => {
            // Also when the user comes to trust the workspace, and its own settings begin to count.
            if (change.affectsConfiguration('stubborn.server.path')) {
                void running.restart();
            }
        }),
    );
    registerTracePanel(context, () => running.running());
    registerPictures(context, () => running.running());
    registerWalkthrough(context);
    whenWanted(context, () => running.start());
}

export async function deactivate(): Promise<void> {
    await session?.stop();
}

/** The one server of this window, and its output. */
class Session {
    readonly output = vscode.window.createOutputChannel('Stubborn', { log: true });
    private readonly messages = vscode.window.createOutputChannel('Stubborn Messages', { log: true });
    private client: LanguageClient | undefined;
    /** Why this extension cannot work with the server, if it cannot. */
    private unfit: string | undefined;
    private readonly explorer: Explorer;
    /** Whether anybody has wanted a server yet. */
    private isWanted = false;
    /** What was asked for last; the next start or stop waits for it. */
    private last: Promise<void> = Promise.resolve();

    constructor(private readonly context: vscode.ExtensionContext) {
        context.subscriptions.push(this.output, this.messages);
        this.explorer = new Explorer(context);
    }

    /** Starts the server, unless somebody has had it started before. */
    start(): Promise<void> {
        return this.isWanted ? this.last : this.restart();
    }

    restart(): Promise<void> {
        this.isWanted = true;
        return this.afterLast(async () => {
            await this.stopClient();
            await this.startClient();
        });
    }

    stop(): Promise<void> {
        return this.afterLast(() => this.stopClient());
    }

    /** The server, which is started if nobody has wanted it before, once what was asked for last has come to its end. */
    async running(): Promise<LanguageClient | undefined> {
        await this.start();
        return this.client;
    }

    /** What there is to say of a server with which this extension cannot work, once it has been asked. */
    async mismatch(): Promise<string | undefined> {
        await this.start();
        return this.unfit;
    }

    private afterLast(work: () => Promise<void>): Promise<void> {
        // Whatever became of what was asked for before.
        this.last = this.last.then(work, work);
        return this.last;
    }

    private async startClient(): Promise<void> {
        this.unfit = undefined;
        const search = installedServer(this.context);
        if (!search.found) {
            this.complain(search.problem);
            return;
        }
        this.output.info(`Starting ${search.program}`);
        const client = createClient(search.program, this.output, this.messages, problem => this.complain(problem));
        try {
            this.explorer.attach(client);
            await client.start();
            const problem = mismatchOf(client, search.program);
            this.unfit = problem;
            if (problem !== undefined) {
                this.explorer.detach();
                await client.dispose();
                this.complain(problem);
                return;
            }
            this.client = client;
        } catch (reason) {
            this.explorer.detach();
            await client.dispose().catch(() => undefined);
            this.complain(
                `The server ${search.program} could not be started: ${reason instanceof Error ? reason.message : String(reason)} ` +
                    'Its output may say more. If it is not a server for your platform and of this version, ' +
                    'name another one in the setting stubborn.server.path.',
            );
        }
    }

    private async stopClient(): Promise<void> {
        const client = this.client;
        this.client = undefined;
        this.explorer.detach();
        await client?.dispose().catch(reason => this.output.error(`Stopping the server failed: ${String(reason)}`));
    }

    /** Shows a problem with what can be done about it. Does not wait for the answer. */
    private complain(problem: string): void {
        this.output.error(problem);
        const choices = {
            'Open the Setting': openServerPath,
            'Show the Output': () => this.output.show(),
            'Try Again': () => this.restart(),
        };
        const names = Object.keys(choices) as (keyof typeof choices)[];
        void vscode.window.showErrorMessage(problem, ...names).then(choice => choice && choices[choice]());
    }
}

/** Opens the settings where the server's path is set: a path belongs to a machine, or to a workspace. */
function openServerPath(): Thenable<unknown> {
    const inWorkspace = vscode.workspace.getConfiguration('stubborn').inspect('server.path')?.workspaceValue !== undefined;
    const settings = inWorkspace ? 'openWorkspaceSettings' : vscode.env.remoteName ? 'openRemoteSettings' : 'openSettings2';
    return vscode.commands.executeCommand(`workbench.action.${settings}`, { query: 'stubborn.server.path' });
}
