// Which documents are ours. `.stb` always is; `.tester` has other users, so that it is ours where it looks
// like it, and is left alone where it does not.

import * as vscode from 'vscode';
import { looksLikeOurs } from './looks';

/** Looks at a document that nobody has told the language of. */
export async function adopt(document: vscode.TextDocument): Promise<void> {
    if (document.languageId === 'plaintext' && /\.tester$/i.test(document.uri.path) && looksLikeOurs(document.getText())) {
        await vscode.languages.setTextDocumentLanguage(document, 'stubborn');
    }
}

/** Opens a file that somebody asks about, as one of ours where it is one. */
export async function openOurs(file: vscode.Uri): Promise<void> {
    await adopt(await vscode.workspace.openTextDocument(file));
}

/** Adopts documents as they are opened. */
export function adoptTesters(context: vscode.ExtensionContext): void {
    const look = (document: vscode.TextDocument) => void adopt(document).then(undefined, () => undefined);
    vscode.workspace.textDocuments.forEach(look);
    context.subscriptions.push(vscode.workspace.onDidOpenTextDocument(look));
}

/**
 * Calls `start` once there is something of ours in the window: a document, or a model in the workspace. A
 * window that has only files of other programs is none of this extension's business.
 */
export function whenWanted(context: vscode.ExtensionContext, start: () => Promise<void>): void {
    adoptTesters(context);
    let hasStarted = false;
    const begin = () => {
        if (!hasStarted) {
            hasStarted = true;
            void start();
        }
    };
    const look = (document: vscode.TextDocument) => {
        if (document.languageId === 'stubborn') {
            begin();
        }
    };
    vscode.workspace.textDocuments.forEach(look);
    context.subscriptions.push(vscode.workspace.onDidOpenTextDocument(look));
    void vscode.workspace.findFiles('**/*.stb', undefined, 1).then(found => {
        if (found.length > 0) {
            begin();
        }
    });
}
