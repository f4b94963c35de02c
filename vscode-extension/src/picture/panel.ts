// The panel of a picture, its end in the extension: it asks the server for what the page draws, and leads to the text.

import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { Server } from '../panel/panel';
import { html } from './page';
import type { Picture, Place, ToExtension, ToPage, What } from './protocol';

const TYPE = 'stubborn.picture';
/** Verdicts that fall one after the other are answered together. */
const SOON = 300;

/** Has the panel there when somebody asks for it. There is one in a window. */
export function registerPictures(context: vscode.ExtensionContext, server: Server): void {
    let panel: PicturePanel | undefined;
    const show = (what: What): void => {
        if (panel === undefined) {
            const made = new PicturePanel(context, server, what);
            panel = made;
            made.onGone(() => {
                if (panel === made) {
                    panel = undefined;
                }
            });
        } else {
            panel.show(what);
        }
    };
    const here = (): vscode.TextEditor | undefined => {
        const editor = vscode.window.activeTextEditor;
        return editor?.document.languageId === 'stubborn' ? editor : undefined;
    };
    context.subscriptions.push(
        // With arguments from the trace panel; without them of the text that is edited.
        vscode.commands.registerCommand('stubborn.showStates', (uri?: unknown, property?: unknown, name?: unknown, value?: unknown) => {
            if (typeof uri === 'string') {
                const parameter = typeof name === 'string' && typeof value === 'number' ? { parameter: { name, value } } : {};
                show({ uri, ...(typeof property === 'string' ? { property } : {}), ...parameter });
                return;
            }
            const editor = here();
            if (editor !== undefined) {
                show({ uri: editor.document.uri.toString() });
            }
        }),
        vscode.commands.registerCommand('stubborn.showProcess', async () => {
            const editor = here();
            if (editor === undefined) {
                return;
            }
            const process = await processAt(editor.document, editor.selection.active);
            if (process === undefined) {
                void vscode.window.showInformationMessage('There is no process here. Put the cursor into one, or show the states of the whole model.');
                return;
            }
            show({ uri: editor.document.uri.toString(), process });
        }),
        { dispose: () => panel?.dispose() },
    );
}

/** The name of the process that a place is in. */
async function processAt(document: vscode.TextDocument, at: vscode.Position): Promise<string | undefined> {
    const symbols = await vscode.commands.executeCommand<vscode.DocumentSymbol[] | undefined>('vscode.executeDocumentSymbolProvider', document.uri);
    const around = symbols?.find(symbol => symbol.range.contains(at) && /^\s*(?:(?:strongly\s+)?fair\s+)?process\b/.test(textFrom(document, symbol)));
    return around === undefined ? undefined : /^\w+/.exec(around.name)?.[0];
}

/** What stands from the beginning of a declaration to its name, its documentation left out. */
function textFrom(document: vscode.TextDocument, symbol: vscode.DocumentSymbol): string {
    const text = document.getText(new vscode.Range(symbol.range.start, symbol.selectionRange.start));
    return text.replaceAll(/\/\/[^\n]*|\/\*[^]*?\*\//g, '');
}

class PicturePanel {
    private readonly panel: vscode.WebviewPanel;
    private readonly parts: vscode.Disposable[] = [];
    private picture: Picture | undefined;
    private isReady = false;
    private timer: NodeJS.Timeout | undefined;
    /** How often was asked: what comes of an earlier question is not shown. */
    private asked = 0;

    constructor(
        context: vscode.ExtensionContext,
        private readonly server: Server,
        private what: What,
    ) {
        const folder = vscode.Uri.joinPath(context.extensionUri, 'dist');
        this.panel = vscode.window.createWebviewPanel(TYPE, title(what), { viewColumn: column(), preserveFocus: false });
        this.panel.webview.options = { enableScripts: true, localResourceRoots: [folder] };
        this.panel.iconPath = vscode.Uri.joinPath(context.extensionUri, 'icons', 'extension.png');
        this.panel.onDidDispose(() => this.gone(), undefined, this.parts);
        // A page that is hidden is no more; the next one says that it is ready.
        this.panel.onDidChangeViewState(() => (this.isReady &&= this.panel.visible), undefined, this.parts);
        this.panel.webview.onDidReceiveMessage((message: ToExtension) => this.hear(message), undefined, this.parts);
        this.parts.push(
            // Verdicts come as diagnostics, and so does what is wrong with a text.
            vscode.languages.onDidChangeDiagnostics(change => change.uris.some(uri => this.isDrawn(uri)) && this.refreshSoon()),
            vscode.workspace.onDidSaveTextDocument(document => this.isDrawn(document.uri) && this.refreshSoon()),
        );
        const { webview } = this.panel;
        const at = (file: string): string => webview.asWebviewUri(vscode.Uri.joinPath(folder, file)).toString();
        webview.html = html({
            nonce: randomBytes(18).toString('base64'),
            source: webview.cspSource,
            script: at('picture.js'),
            style: at('picture.css'),
        });
    }

    onGone(listener: () => void): void {
        this.panel.onDidDispose(listener);
    }

    show(what: What): void {
        this.what = what;
        this.panel.reveal(undefined, false);
        void this.refresh();
    }

    dispose(): void {
        this.panel.dispose();
    }

    private gone(): void {
        clearTimeout(this.timer);
        this.asked++;
        this.parts.forEach(part => part.dispose());
    }

    private tell(message: ToPage): void {
        if (this.isReady) {
            void this.panel.webview.postMessage(message);
        }
    }

    private hear(message: ToExtension): void {
        switch (message.type) {
            case 'ready':
                this.isReady = true;
                void this.refresh();
                break;
            case 'draw': {
                const { process: _, ...what } = this.what;
                this.what = message.process === undefined ? what : { ...what, process: message.process };
                void this.refresh();
                break;
            }
            case 'reveal':
                void this.reveal(message.place);
                break;
            case 'copyDot':
                void this.copyDot();
                break;
            case 'copySvg':
                void this.copy('SVG', message.text);
                break;
        }
    }

    private refreshSoon(): void {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => void this.refresh(), SOON);
    }

    private async ask<T>(method: string): Promise<T | undefined> {
        try {
            const client = await this.server();
            const { uri, process, property, parameter } = this.what;
            // The server answers about open texts.
            await vscode.workspace.openTextDocument(vscode.Uri.parse(uri)).then(undefined, () => undefined);
            return await client?.sendRequest<T>(method, { textDocument: { uri }, process, property, parameter });
        } catch {
            // The text has changed meanwhile; it is drawn again when something is known of the new one.
            return undefined;
        }
    }

    private async refresh(): Promise<void> {
        if (!this.isReady) {
            return;
        }
        const asked = ++this.asked;
        this.panel.title = title(this.what);
        this.tell({ type: 'busy' });
        const answer = await this.ask<{ picture?: Picture; message?: string }>('stubborn/picture');
        if (asked !== this.asked || answer === undefined) {
            return;
        }
        if (answer.picture === undefined) {
            this.tell({ type: 'none', what: this.what, message: answer.message ?? '' });
            return;
        }
        this.picture = answer.picture;
        this.tell({ type: 'picture', what: this.what, picture: answer.picture });
    }

    private async copyDot(): Promise<void> {
        const answer = await this.ask<{ text?: string; message?: string }>('stubborn/pictureText');
        if (answer?.text === undefined) {
            void vscode.window.showWarningMessage(answer?.message ?? 'The picture could not be copied.');
            return;
        }
        await this.copy('DOT', answer.text);
    }

    private async copy(form: 'DOT' | 'SVG', text: string): Promise<void> {
        await vscode.env.clipboard.writeText(text);
        this.tell({ type: 'copied', form });
        vscode.window.setStatusBarMessage(`$(check) The picture is in the clipboard, as ${form}.`, 4000);
    }

    /** Shows what stands at a place of the picture, and leaves the keyboard where it is. */
    private async reveal(place: Place): Promise<void> {
        const file = this.picture?.files[place.file];
        if (file === undefined) {
            return;
        }
        const uri = vscode.Uri.parse(file);
        const { start, end } = place.range;
        const range = new vscode.Range(start.line, start.character, end.line, end.character);
        const open = vscode.window.visibleTextEditors.find(editor => editor.document.uri.toString() === uri.toString());
        const viewColumn = open?.viewColumn ?? vscode.window.visibleTextEditors[0]?.viewColumn ?? vscode.ViewColumn.One;
        const document = await vscode.workspace.openTextDocument(uri);
        const editor = await vscode.window.showTextDocument(document, { viewColumn, preserveFocus: true });
        editor.selection = new vscode.Selection(range.start, range.end);
        editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    }

    private isDrawn(uri: vscode.Uri): boolean {
        const files = [this.what.uri, ...(this.picture?.files ?? [])];
        return files.some(file => vscode.Uri.parse(file).toString() === uri.toString());
    }
}

/** Beside the text; where the trace is looked at, in its place. */
function column(): vscode.ViewColumn {
    return vscode.window.activeTextEditor === undefined ? vscode.ViewColumn.Active : vscode.ViewColumn.Beside;
}

function title(what: What): string {
    return what.process === undefined ? 'State Graph' : `Graph of ${what.process}`;
}
