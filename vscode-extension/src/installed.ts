// The program that is installed here, as the editor's settings and surroundings have it.

import * as os from 'node:os';
import * as vscode from 'vscode';
import { findServer, type Search } from './server';

/** The program that checks and steps through models, or why there is none. */
export function installedServer(context: vscode.ExtensionContext): Search {
    return findServer({
        configured: vscode.workspace.getConfiguration('stubborn').get('server.path', ''),
        extensionFolder: context.extensionPath,
        searchPath: process.env['PATH'] ?? '',
        home: os.homedir(),
    });
}
