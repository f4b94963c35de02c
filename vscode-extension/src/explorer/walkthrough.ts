// The first five minutes: a model to break and to mend, in the folder that is open, or else in the user's own.

import { homedir } from 'node:os';
import * as vscode from 'vscode';

const NAME = 'first-steps.stb';

export function registerWalkthrough(context: vscode.ExtensionContext): void {
    const register = (name: string, work: () => Promise<unknown>) =>
        context.subscriptions.push(vscode.commands.registerCommand(name, work));
    register('stubborn.openExample', () => openExample(context));
    register('stubborn.openWalkthrough', () => openWalkthrough(context));
}

/** So long the editor may take to know the walkthroughs of extensions, in milliseconds. */
const PATIENCE = 6000;
const PAUSE = 150;

/**
 * Opens our first steps, from their beginning. The editor itself shows its own walkthrough where it does not know those
 * of extensions yet, for which it takes a while after it was asked for one first; and where another walkthrough is open
 * at one of its steps, it leaves that as it is.
 */
async function openWalkthrough(context: vscode.ExtensionContext): Promise<void> {
    const category = `${context.extension.id}#start`;
    for (const end = Date.now() + PATIENCE; Date.now() < end && !(await beginsAnew(`${category}#open`)); ) {
        await pause();
    }
    await leaveOtherWalkthrough();
    await vscode.commands.executeCommand('workbench.action.openWalkthrough', { category }, false);
}

/** Has a step stand as one that is still to be taken, if the editor knows of it. */
function beginsAnew(step: string): Thenable<boolean> {
    return vscode.commands.executeCommand('welcome.markStepIncomplete', step).then(
        () => true,
        () => false,
    );
}

/** Has a walkthrough that is in sight, maybe in another group, go back to the welcome page, and that close. */
async function leaveOtherWalkthrough(): Promise<void> {
    const { all, activeTabGroup } = vscode.window.tabGroups;
    if (!isUnknown(activeTabGroup.activeTab)) {
        const other = all.find(group => isUnknown(group.activeTab));
        const focus = other === undefined ? undefined : FOCUS[other.viewColumn - 1];
        if (focus === undefined) {
            return;
        }
        await vscode.commands.executeCommand(`workbench.action.focus${focus}EditorGroup`);
    }
    // Once to its beginning, and once away. Nothing happens where another editor is in front; and nobody waits for its end.
    for (let times = 0; times < 2; times++) {
        await vscode.commands.executeCommand('welcome.goBack').then(undefined, () => undefined);
        await pause();
    }
}

/** Whether it may be a welcome page: nothing is told of one but its title, in the language of the editor, and maybe that of before. */
function isUnknown(tab: vscode.Tab | undefined): boolean {
    return tab !== undefined && tab.input === undefined;
}

const FOCUS = ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth', 'Seventh', 'Eighth'];

function pause(): Promise<void> {
    return new Promise(resolve => setTimeout(resolve, PAUSE));
}

/**
 * Opens the model of the walkthrough: the one in the folder if there is one already, else a new document of
 * that name, which is checked as it is typed and is nowhere until it is saved.
 */
async function openExample(context: vscode.ExtensionContext): Promise<void> {
    // A name without a folder would be one at the root of the disk, where few may write.
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
    const known = vscode.Uri.joinPath(folder, NAME);
    const isThere = await exists(known);
    const unsaved = vscode.Uri.from({ scheme: 'untitled', path: known.path });
    const document = await vscode.workspace.openTextDocument(isThere ? known : unsaved);
    if (!isThere && document.getText() === '') {
        const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(context.extensionUri, 'media', NAME));
        const edit = new vscode.WorkspaceEdit();
        edit.insert(document.uri, new vscode.Position(0, 0), new TextDecoder().decode(bytes));
        await vscode.workspace.applyEdit(edit);
    }
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Active });
}

async function exists(file: vscode.Uri): Promise<boolean> {
    return vscode.workspace.fs.stat(file).then(
        () => true,
        () => false,
    );
}
