// A panel with a page of ours in it: what every such panel has to see to, whatever the page shows.

import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { Parts } from './page';
import type { Named } from './protocol';

/** The server, once it runs. */
export type Server = () => Promise<LanguageClient | undefined>;

export interface Page {
    readonly type: string;
    readonly title: string;
    /** Its script and its style are files of this name. */
    readonly name: string;
    readonly html: (parts: Parts) => string;
    /** Texts that change and verdicts that fall one after the other are answered together, after so many milliseconds. */
    readonly soon: number;
    readonly column: vscode.ViewColumn;
}

export abstract class PanelOfPage<ToPage, ToExtension extends { readonly type: string }> {
    protected readonly panel: vscode.WebviewPanel;
    protected readonly parts: vscode.Disposable[] = [];
    protected isReady = false;
    private timer: NodeJS.Timeout | undefined;
    /** What was asked last: what comes of an earlier question is not shown, and nobody waits for it. */
    private asking: vscode.CancellationTokenSource | undefined;

    constructor(
        context: vscode.ExtensionContext,
        private readonly server: Server,
        private readonly page: Page,
        restored?: vscode.WebviewPanel,
    ) {
        const folder = vscode.Uri.joinPath(context.extensionUri, 'dist');
        this.panel = restored ?? vscode.window.createWebviewPanel(page.type, page.title, { viewColumn: page.column, preserveFocus: false });
        this.panel.webview.options = { enableScripts: true, localResourceRoots: [folder] };
        this.panel.iconPath = vscode.Uri.joinPath(context.extensionUri, 'icons', 'extension.png');
        this.panel.onDidDispose(() => this.gone(), undefined, this.parts);
        // A page that is hidden is no more; the next one says that it is ready.
        this.panel.onDidChangeViewState(() => (this.isReady &&= this.panel.visible), undefined, this.parts);
        this.panel.webview.onDidReceiveMessage((message: ToExtension) => this.hears(message), undefined, this.parts);
        const { webview } = this.panel;
        const at = (file: string): string => webview.asWebviewUri(vscode.Uri.joinPath(folder, file)).toString();
        webview.html = page.html({
            nonce: randomBytes(18).toString('base64'),
            source: webview.cspSource,
            script: at(`${page.name}.js`),
            style: at(`${page.name}.css`),
        });
    }

    /** The page has said something. */
    protected abstract hear(message: ToExtension): void;

    /** Asks the server for what the page shows, and tells the page. */
    protected abstract refresh(): Promise<void>;

    onGone(listener: () => void): void {
        this.panel.onDidDispose(listener);
    }

    dispose(): void {
        this.panel.dispose();
    }

    protected tell(message: ToPage): void {
        if (this.isReady) {
            void this.panel.webview.postMessage(message);
        }
    }

    protected refreshSoon(): void {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => void this.refresh(), this.page.soon);
    }

    /** What the server answers about a text; nothing where there is none, or the text changes meanwhile. */
    protected async ask<T>(method: string, uri: string, more: object, token?: vscode.CancellationToken): Promise<T | undefined> {
        try {
            const client = await this.server();
            // The server answers about open texts; after a restart the one of a restored panel may not be open yet.
            // One that is gone the server has words for.
            await vscode.workspace.openTextDocument(vscode.Uri.parse(uri)).then(undefined, () => undefined);
            const asked = { textDocument: { uri }, ...more };
            // A token that is not there would be sent along with what is asked.
            return await (token === undefined ? client?.sendRequest<T>(method, asked) : client?.sendRequest<T>(method, asked, token));
        } catch {
            // It is asked again when something is known of the text as it is.
            return undefined;
        }
    }

    /** The same for what the page shows: nothing where it was asked once more meanwhile. */
    protected async askForPage<T>(method: string, uri: string, more: object): Promise<T | undefined> {
        this.asking?.cancel();
        const asking = new vscode.CancellationTokenSource();
        this.asking = asking;
        const answer = await this.ask<T>(method, uri, more, asking.token);
        return this.asking === asking ? answer : undefined;
    }

    private hears(message: ToExtension): void {
        if (message.type === 'ready') {
            // Also when it was hidden, and is made anew.
            this.isReady = true;
            void this.refresh();
        } else {
            this.hear(message);
        }
    }

    private gone(): void {
        clearTimeout(this.timer);
        this.asking?.cancel();
        this.asking = undefined;
        this.parts.forEach(part => part.dispose());
    }
}

/** How a person knows the file of this URI. */
export function named(uri: string): Named {
    const file = vscode.Uri.parse(uri);
    return { name: file.path.slice(file.path.lastIndexOf('/') + 1), path: vscode.workspace.asRelativePath(file) };
}

/** Shows a place of a text, in the editor that has it or beside the panel, and leaves the keyboard where it is. */
export async function showPlace(uri: vscode.Uri, range: vscode.Range): Promise<vscode.TextEditor> {
    const isOf = (editor: vscode.TextEditor): boolean => editor.document.uri.toString() === uri.toString();
    const open = vscode.window.visibleTextEditors.find(isOf);
    const editor = open ?? (await opened(uri));
    editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    return editor;
}

async function opened(uri: vscode.Uri): Promise<vscode.TextEditor> {
    const viewColumn = vscode.window.visibleTextEditors[0]?.viewColumn ?? vscode.ViewColumn.One;
    const document = await vscode.workspace.openTextDocument(uri);
    return vscode.window.showTextDocument(document, { viewColumn, preserveFocus: true });
}
