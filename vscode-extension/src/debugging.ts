// Runs in the editor's debugger: the program's debug adapter, what F5 does with a model, and commands for both.

import * as path from 'node:path';
import * as vscode from 'vscode';
import { installedServer } from './installed';

const TYPE = 'stubborn';

/** All that the editor has to know of debugging. */
export function debugging(context: vscode.ExtensionContext, mismatch: () => Promise<string | undefined>): vscode.Disposable[] {
    const provider = new Configurations();
    return [
        vscode.debug.registerDebugAdapterDescriptorFactory(TYPE, { createDebugAdapterDescriptor: () => adapter(context, mismatch) }),
        vscode.debug.registerDebugConfigurationProvider(TYPE, provider),
        vscode.debug.registerDebugConfigurationProvider(TYPE, provider, vscode.DebugConfigurationProviderTriggerKind.Dynamic),
        vscode.commands.registerCommand('stubborn.debug', (file?: string, property?: string) => stepThrough(file, property)),
        vscode.commands.registerCommand('stubborn.simulate', () => simulate()),
        vscode.commands.registerCommand('stubborn.pickStep', () => pickStep()),
    ];
}

async function adapter(
    context: vscode.ExtensionContext,
    mismatch: () => Promise<string | undefined>,
): Promise<vscode.DebugAdapterDescriptor> {
    // The adapter is in the server's program.
    const problem = await mismatch();
    if (problem !== undefined) {
        throw new Error(problem);
    }
    const search = installedServer(context);
    if (!search.found) {
        throw new Error(search.problem);
    }
    // Not in the workspace, whose files should have no say in how a program is loaded.
    return new vscode.DebugAdapterExecutable(search.program, ['dap'], { cwd: path.dirname(search.program) });
}

/** The attributes of a session, as far as they are set here. */
interface Attributes {
    readonly mode: 'counterexample' | 'simulate';
    readonly property?: string;
    readonly seed?: number;
}

function configuration(name: string, program: string, attributes: Attributes): vscode.DebugConfiguration {
    return { type: TYPE, request: 'launch', name, program, ...attributes };
}

class Configurations implements vscode.DebugConfigurationProvider {
    /** What is offered beside what a `launch.json` has. */
    provideDebugConfigurations(): vscode.DebugConfiguration[] {
        return [
            configuration('Step Through a Violation', '${file}', { mode: 'counterexample' }),
            configuration('Simulate This Model', '${file}', { mode: 'simulate' }),
        ];
    }

    async resolveDebugConfiguration(
        _folder: vscode.WorkspaceFolder | undefined,
        given: vscode.DebugConfiguration,
    ): Promise<vscode.DebugConfiguration | undefined> {
        // Nothing is given where F5 is pressed and there is no launch.json.
        if (!given.type && !given.request && !given.name) {
            const model = await openModel();
            return model && configuration('Step Through a Violation', model.fsPath, { mode: 'counterexample' });
        }
        if (typeof given['program'] !== 'string' || given['program'] === '') {
            return { ...given, program: '${file}' };
        }
        return given;
    }
}

/** The model that is open in front, as a file; a message where there is none. */
async function openModel(): Promise<vscode.Uri | undefined> {
    const document = vscode.window.activeTextEditor?.document;
    if (document?.languageId !== 'stubborn') {
        void vscode.window.showInformationMessage('Open a model (.stb) or a tester file (.tester) to step through its runs.');
        return undefined;
    }
    return asFile(document.uri);
}

/** The same model as a file: the debugger reads no other. One that is not saved yet a person is asked to save. */
async function asFile(model: vscode.Uri): Promise<vscode.Uri | undefined> {
    if (model.scheme === 'file') {
        return model;
    }
    const save = 'Save';
    const answer = await vscode.window.showInformationMessage(
        'The model is not in a file yet.',
        { modal: true, detail: 'Its runs are stepped through once it is saved.' },
        save,
    );
    return answer === save ? vscode.workspace.save(model) : undefined;
}

async function stepThrough(file?: string, property?: string): Promise<void> {
    const model = await (file === undefined ? openModel() : asFile(vscode.Uri.parse(file)));
    if (model !== undefined) {
        const attributes: Attributes =
            property === undefined ? { mode: 'counterexample' } : { mode: 'counterexample', property };
        await start(model, property ?? 'Step Through a Violation', attributes);
    }
}

async function simulate(): Promise<void> {
    const model = await openModel();
    const typed =
        model &&
        (await vscode.window.showInputBox({
            title: 'Simulate This Model',
            placeHolder: 'A seed, or nothing',
            prompt: 'Each step is picked by hand or left to chance. What chance takes the seed decides: equal seeds, equal runs.',
            validateInput: typed => (isSeed(typed) ? undefined : 'A seed is a whole number of at most fifteen digits.'),
        }));
    if (model !== undefined && typed !== undefined) {
        await start(model, 'Simulate', { mode: 'simulate', ...(typed.trim() === '' ? {} : { seed: Number(typed) }) });
    }
}

/** Numbers beyond these are not exact. */
function isSeed(typed: string): boolean {
    return /^\s*\d{0,15}\s*$/.test(typed);
}

async function start(model: vscode.Uri, name: string, attributes: Attributes): Promise<void> {
    const folder = vscode.workspace.getWorkspaceFolder(model);
    await vscode.debug.startDebugging(folder, configuration(name, model.fsPath, attributes));
}

/** A step that can be taken next, as the adapter tells it. */
interface StepTarget {
    readonly id: number;
    readonly label: string;
}

/** Lets the user pick the next step of the session in front. */
async function pickStep(): Promise<void> {
    const session = vscode.debug.activeDebugSession;
    if (session?.type !== TYPE) {
        void vscode.window.showInformationMessage('Nothing is being simulated: "Stubborn: Simulate This Model" begins.');
        return;
    }
    const threadId = vscode.debug.activeStackItem?.threadId ?? 1;
    // A frame has the number of its thread.
    const { targets } = (await session.customRequest('stepInTargets', { frameId: threadId })) as { targets: StepTarget[] };
    if (targets.length === 0) {
        void vscode.window.showInformationMessage('No step can be taken here.');
        return;
    }
    const items = targets.map(target => ({ label: target.label, target }));
    const picked = await vscode.window.showQuickPick(items, { placeHolder: 'Which step is taken next?' });
    if (picked !== undefined) {
        await session.customRequest('takeStep', { targetId: picked.target.id });
    }
}
