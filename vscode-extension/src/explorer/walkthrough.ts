// The first five minutes: a model to break and to mend, in the folder that is open, or else in the user's own.

import { homedir } from 'node:os';
import * as vscode from 'vscode';

const NAME = 'first-steps.stb';

export function registerWalkthrough(context: vscode.ExtensionContext): void {
    const register = (name: string, work: () => Promise<unknown>) =>
        context.subscriptions.push(vscode.commands.registerCommand(name, work));
    register('stubborn.openExample', () => openExample(context));
    register('stubborn.openWalkthrough', async () =>
        vscode.commands.executeCommand('workbench.action.openWalkthrough', `${context.extension.id}#start`, false),
    );
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
