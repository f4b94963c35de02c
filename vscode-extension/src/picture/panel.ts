// The panel of a picture, its end in the extension: it asks the server for what the page draws, and leads to the text.

import * as vscode from 'vscode';
import { PICTURE_PANEL } from '../explorer/sight';
import { named, PanelOfPage, type Server, showPlace } from '../panel/panel-of-page';
import { html } from './page';
import type { Picture, Place, ToExtension, ToPage, What } from './protocol';

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
        vscode.commands.registerCommand('stubborn.showProcess', () => {
            const editor = here();
            if (editor !== undefined) {
                const { line, character } = editor.selection.active;
                show({ uri: editor.document.uri.toString(), position: { line, character } });
            }
        }),
        { dispose: () => panel?.dispose() },
    );
}

class PicturePanel extends PanelOfPage<ToPage, ToExtension> {
    private picture: Picture | undefined;

    constructor(
        context: vscode.ExtensionContext,
        server: Server,
        private what: What,
    ) {
        super(context, server, { type: PICTURE_PANEL, title: 'State Graph', name: 'picture', html, soon: 300, column: column() });
        this.parts.push(
            // Verdicts come as diagnostics, and so does what is wrong with a text.
            vscode.languages.onDidChangeDiagnostics(change => change.uris.some(uri => this.isDrawn(uri)) && this.refreshSoon()),
            vscode.workspace.onDidSaveTextDocument(document => this.isDrawn(document.uri) && this.refreshSoon()),
        );
    }

    show(what: What): void {
        this.what = what;
        this.panel.reveal(undefined, false);
        void this.refresh();
    }

    protected hear(message: ToExtension): void {
        switch (message.type) {
            case 'ready':
                break;
            case 'draw': {
                const { process: _, position: __, ...what } = this.what;
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

    protected async refresh(): Promise<void> {
        if (!this.isReady) {
            return;
        }
        this.tell({ type: 'busy' });
        const { uri, ...more } = this.what;
        const answer = await this.askForPage<{ picture?: Picture; message?: string }>('stubborn/picture', uri, more);
        if (answer === undefined) {
            return;
        }
        if (answer.picture === undefined) {
            this.tell({ type: 'none', what: this.what, file: named(uri), message: answer.message ?? '' });
            return;
        }
        this.picture = answer.picture;
        // The cursor may be elsewhere when it is drawn again.
        if (this.what.position !== undefined) {
            const { position: _, ...what } = this.what;
            this.what = { ...what, process: answer.picture.title };
        }
        this.panel.title = this.what.process === undefined ? 'State Graph' : `Graph of ${this.what.process}`;
        this.tell({ type: 'picture', what: this.what, file: named(uri), picture: answer.picture });
    }

    private async copyDot(): Promise<void> {
        const { uri, ...more } = this.what;
        const answer = await this.ask<{ text?: string; message?: string }>('stubborn/pictureText', uri, more);
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

    private async reveal(place: Place): Promise<void> {
        const file = this.picture?.files[place.file];
        if (file === undefined) {
            return;
        }
        const { start, end } = place.range;
        const range = new vscode.Range(start.line, start.character, end.line, end.character);
        const editor = await showPlace(vscode.Uri.parse(file), range);
        editor.selection = new vscode.Selection(range.start, range.end);
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
