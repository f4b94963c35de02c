// The extension where there is no machine to run a server on, as in a browser: colours and snippets alone,
// and the languages of the files.

import type * as vscode from 'vscode';
import { adoptTesters } from './language';

export function activate(context: vscode.ExtensionContext): void {
    adoptTesters(context);
}
