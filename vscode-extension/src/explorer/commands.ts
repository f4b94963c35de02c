// The commands that check, and what they need of a person.

import * as vscode from 'vscode';
import { ExecuteCommandRequest } from 'vscode-languageclient/node';
import { checkWithoutLimit } from '../client';
import type { Explorer } from './explorer';
import { markOf } from './marks';
import { valuesOf } from './numbers';
import { SHOW_TRACE } from './tests';
import { traceTextRequest, type FileStanding, type PropertyStanding } from './protocol';

export function registerCommands(context: vscode.ExtensionContext, explorer: Explorer): void {
    const commands: Record<string, (...given: unknown[]) => Promise<unknown>> = {
        'stubborn.checkNow': () => inFile(explorer, file => explorer.check(file.uri, [], false)),
        'stubborn.checkFile': () => inFile(explorer, file => checkWithoutLimit(explorer.running(), file.uri)),
        'stubborn.goToProperty': item => explorer.goTo(item as vscode.TestItem),
        'stubborn.checkProperty': given =>
            inFile(explorer, async (file, standing) => {
                if (standing === undefined || standing.properties.length === 0) {
                    throw new Error(standing?.problem ?? 'Nothing is known of this file yet.');
                }
                const name = await pickProperty(standing, 'Check which property?', () => true, lineOf(given));
                return name === undefined ? undefined : explorer.check(file.uri, [name], false);
            }),
        'stubborn.checkFor': () => inFile(explorer, (file, standing) => checkFor(explorer, file, standing)),
        'stubborn.cancel': () => run(explorer, 'stubborn.stopChecking', []),
        'stubborn.copyTrace': () => inFile(explorer, (file, standing) => copyTrace(explorer, file, standing)),
        'stubborn.actions': () => actions(explorer),
    };
    for (const [name, work] of Object.entries(commands)) {
        const told = (...given: unknown[]) =>
            work(...given).catch(reason => {
                const problem = reason instanceof Error ? reason.message : String(reason);
                void vscode.window.showWarningMessage(problem);
            });
        context.subscriptions.push(vscode.commands.registerCommand(name, told));
    }
}

/** Does it with the file in sight, if that is a model, and what is known of it. */
async function inFile<T>(
    explorer: Explorer,
    work: (file: vscode.TextDocument, standing: FileStanding | undefined) => Promise<T>,
): Promise<T | undefined> {
    const file = explorer.model;
    if (file === undefined) {
        void vscode.window.showInformationMessage('Open a Stubborn model first: a file whose name ends in .stb.');
        return undefined;
    }
    return work(file, explorer.standings.get(file.uri.toString()));
}

function run(explorer: Explorer, command: string, given: unknown[]): Promise<unknown> {
    return explorer.running().sendRequest(ExecuteCommandRequest.type, { command, arguments: given });
}

/** The line that a menu at the edge of the text was opened on. */
function lineOf(given: unknown): number | undefined {
    const line = (given as { lineNumber?: unknown } | undefined)?.lineNumber;
    return typeof line === 'number' ? line - 1 : undefined;
}

/** The property at the cursor, else the one that a person picks. */
async function pickProperty(
    standing: FileStanding | undefined,
    question: string,
    isMeant: (one: PropertyStanding) => boolean,
    given?: number,
): Promise<string | undefined> {
    const all = (standing?.properties ?? []).filter(isMeant);
    const line = given ?? vscode.window.activeTextEditor?.selection.active.line;
    const here = all.filter(one => one.uri === standing?.uri && one.range.start.line === line);
    // The lines of the model have what every model is asked; a line of its own names one.
    if (here.length > 0 && new Set(here.map(one => one.base)).size === 1) {
        return here.length === 1 ? here[0]?.name : here[0]?.base;
    }
    const picked = await vscode.window.showQuickPick(
        all.map(one => ({ label: one.name, description: one.told, detail: one.why ?? '' })),
        { title: question, matchOnDescription: true },
    );
    return picked?.label;
}

async function checkFor(explorer: Explorer, file: vscode.TextDocument, standing: FileStanding | undefined): Promise<void> {
    const parameters = standing?.parameters ?? [];
    if (parameters.length === 0) {
        void vscode.window.showInformationMessage('This file declares no parameter. One is declared with: param N: 2..6 = 3');
        return;
    }
    const picked =
        parameters.length === 1
            ? parameters[0]
            : (
                  await vscode.window.showQuickPick(
                      parameters.map(one => ({ label: one.name, description: `${one.value}, of ${one.from}..${one.to}`, one })),
                      { title: 'Check for other values of which parameter?' },
                  )
              )?.one;
    if (picked === undefined) {
        return;
    }
    const { name, from, to, value } = picked;
    const next = value < to ? value + 1 : from;
    const typed = await vscode.window.showInputBox({
        title: `Check for other values of ${name}`,
        prompt: `Values of ${from}..${to}, such as ${next}, or ${from}..${Math.min(to, from + 2)}. It is ${value} in the text, which stays as it is.`,
        value: String(next),
        validateInput: typed => {
            const values = valuesOf(typed, from, to);
            return typeof values === 'string' ? values : undefined;
        },
    });
    const values = typed === undefined ? undefined : valuesOf(typed, from, to);
    if (Array.isArray(values)) {
        const uri = explorer.running().code2ProtocolConverter.asUri(file.uri);
        await run(explorer, 'stubborn.checkValues', [uri, name, values]);
        void vscode.window.setStatusBarMessage(`What ${name} = ${values.join(', ')} gives stands over the parameter`, 8000);
    }
}

async function copyTrace(explorer: Explorer, file: vscode.TextDocument, standing: FileStanding | undefined): Promise<void> {
    if (standing?.properties.every(one => !one.hasRun) ?? true) {
        void vscode.window.showInformationMessage('No trace is known: nothing in this file is violated, or it has not been checked.');
        return;
    }
    const name = await pickProperty(standing, 'Copy the trace of which property?', one => one.hasRun);
    if (name === undefined) {
        return;
    }
    const client = explorer.running();
    const textDocument = { uri: client.code2ProtocolConverter.asUri(file.uri) };
    const { text, message } = await client.sendRequest(traceTextRequest, { textDocument, property: name, form: 'text' });
    if (text === undefined) {
        void vscode.window.showInformationMessage(message ?? `No trace of ${name} is known in the text as it is.`);
        return;
    }
    await vscode.env.clipboard.writeText(text);
    void vscode.window.setStatusBarMessage(`The trace of ${name} is on the clipboard`, 5000);
}

/** What can be done with the file in sight, from the line at the foot of the window. */
async function actions(explorer: Explorer): Promise<void> {
    const file = explorer.model;
    const standing = file && explorer.standings.get(file.uri.toString());
    const wrong = standing?.properties.find(one => markOf(one) === 'violated');
    const choices: { label: string; description?: string; command: string; given?: unknown[] }[] = [
        ...(wrong?.hasRun === true && file !== undefined
            ? [{ label: '$(list-ordered) Show the Trace', description: wrong.name, command: SHOW_TRACE, given: [file.uri.toString(), wrong.name] }]
            : []),
        { label: '$(run) Check Now', command: 'stubborn.checkNow' },
        { label: '$(run-all) Check Without a Time Limit', command: 'stubborn.checkFile' },
        { label: '$(target) Check One Property', command: 'stubborn.checkProperty' },
        { label: '$(symbol-parameter) Check for Other Values of a Parameter', command: 'stubborn.checkFor' },
        { label: '$(beaker) Show the Properties as Tests', command: 'workbench.view.testing.focus' },
        { label: '$(output) Show the Server\u2019s Output', command: 'stubborn.showOutput' },
    ];
    const picked = await vscode.window.showQuickPick(choices, { title: 'Stubborn' });
    if (picked !== undefined) {
        await vscode.commands.executeCommand(picked.command, ...(picked.given ?? []));
    }
}
