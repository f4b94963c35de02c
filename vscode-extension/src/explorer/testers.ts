// The tester files of the workspace that are ours, open or not.

import { open, stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { LOOKED_AT, looksLikeOurs } from '../looks';

export async function ourTesters(): Promise<vscode.Uri[]> {
    const ours: vscode.Uri[] = [];
    // One after the other: there may be thousands of another program's.
    for (const uri of await vscode.workspace.findFiles('**/*.tester')) {
        if (uri.scheme === 'file' && looksLikeOurs(await beginning(uri.fsPath).catch(() => ''))) {
            ours.push(uri);
        }
    }
    return ours;
}

/** As much of a file as is looked at. */
async function beginning(file: string): Promise<string> {
    // To open a pipe would wait for whoever writes into it.
    if (!(await stat(file)).isFile()) {
        return '';
    }
    const handle = await open(file);
    try {
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(LOOKED_AT), 0, LOOKED_AT, 0);
        return buffer.toString('utf8', 0, bytesRead);
    } finally {
        await handle.close();
    }
}
