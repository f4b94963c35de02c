// The trace panel's end in the extension: it asks the server for what the page shows, and holds page and text together.

import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { Marks } from './marks';
import type { Form, Place, ToExtension, ToPage, Trace, ValueFrom, Which } from './protocol';
import { html } from './page';

const TYPE = 'stubborn.trace';
/** Texts that change and verdicts that fall one after the other are answered together. */
const SOON = 200;

/** The server, once it runs. */
export type Server = () => Promise<LanguageClient | undefined>;

/** Has the panel there when somebody asks for it. There is one in a window. */
export function registerTracePanel(context: vscode.ExtensionContext, server: Server): void {
    let panel: TracePanel | undefined;
    const show = (which: Which, restored?: vscode.WebviewPanel): void => {
        if (panel === undefined || restored !== undefined) {
            panel?.dispose();
            const made = new TracePanel(context, server, which, restored);
            panel = made;
            made.onGone(() => {
                if (panel === made) {
                    panel = undefined;
                }
            });
        } else {
            panel.show(which);
        }
    };
    context.subscriptions.push(
        vscode.commands.registerCommand('stubborn.showTrace', (uri: unknown, property: unknown, name?: unknown, value?: unknown) => {
            if (typeof uri === 'string' && typeof property === 'string') {
                const parameter = typeof name === 'string' && typeof value === 'number' ? { parameter: { name, value } } : {};
                show({ uri, property, ...parameter });
            }
        }),
        vscode.window.registerWebviewPanelSerializer(TYPE, {
            deserializeWebviewPanel: async (restored, place: Place | undefined) => {
                if (place?.which === undefined) {
                    restored.dispose();
                } else {
                    show(place.which, restored);
                }
            },
        }),
        { dispose: () => panel?.dispose() },
    );
}

class TracePanel {
    private readonly panel: vscode.WebviewPanel;
    private readonly marks = new Marks();
    private readonly parts: vscode.Disposable[] = [this.marks];
    private trace: Trace | undefined;
    /** From which step on a long run is shown. */
    private from = 0;
    private step = 0;
    private isReady = false;
    /** Whether the run is one of the text as it is. The lines of another text say nothing. */
    private isOfText = false;
    /** Whether the page is to show what tells most, and not to stay where it is. */
    private isNew: boolean;
    private timer: NodeJS.Timeout | undefined;
    /** How often was asked: what comes of an earlier question is not shown. */
    private asked = 0;

    constructor(
        private readonly context: vscode.ExtensionContext,
        private readonly server: Server,
        private which: Which,
        restored?: vscode.WebviewPanel,
    ) {
        const folder = vscode.Uri.joinPath(context.extensionUri, 'dist');
        this.panel =
            restored ??
            vscode.window.createWebviewPanel(TYPE, title(which), { viewColumn: vscode.ViewColumn.Beside, preserveFocus: false });
        this.panel.webview.options = { enableScripts: true, localResourceRoots: [folder] };
        this.panel.iconPath = vscode.Uri.joinPath(context.extensionUri, 'icons', 'extension.png');
        this.isNew = restored === undefined;
        this.panel.onDidDispose(() => this.gone(), undefined, this.parts);
        // A page that is hidden is no more; the next one says that it is ready.
        this.panel.onDidChangeViewState(() => (this.isReady &&= this.panel.visible), undefined, this.parts);
        this.panel.webview.onDidReceiveMessage((message: ToExtension) => this.hear(message), undefined, this.parts);
        this.parts.push(
            vscode.workspace.onDidChangeTextDocument(change => this.isOfTrace(change.document) && this.refreshSoon()),
            // Verdicts come as diagnostics.
            vscode.languages.onDidChangeDiagnostics(change => change.uris.some(uri => this.isFile(uri)) && this.refreshSoon()),
            vscode.window.onDidChangeTextEditorSelection(change => this.follow(change)),
            vscode.window.onDidChangeVisibleTextEditors(() => this.mark()),
        );
        this.draw();
    }

    onGone(listener: () => void): void {
        this.panel.onDidDispose(listener);
    }

    /** Shows another run, or the same one from its telling step. */
    show(which: Which): void {
        this.which = which;
        this.from = 0;
        this.isNew = true;
        this.panel.title = title(which);
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

    private draw(): void {
        const { webview } = this.panel;
        const at = (file: string): string =>
            webview.asWebviewUri(vscode.Uri.joinPath(this.context.extensionUri, 'dist', file)).toString();
        webview.html = html({
            nonce: randomBytes(18).toString('base64'),
            source: webview.cspSource,
            script: at('trace.js'),
            style: at('trace.css'),
        });
    }

    private tell(message: ToPage): void {
        if (this.isReady) {
            void this.panel.webview.postMessage(message);
        }
    }

    private hear(message: ToExtension): void {
        switch (message.type) {
            case 'ready':
                // Also when it was hidden, and is made anew.
                this.isReady = true;
                void this.refresh();
                break;
            case 'at':
                this.step = message.step;
                this.mark();
                if (message.reveal) {
                    void this.reveal();
                }
                break;
            case 'evaluate':
                void this.evaluate(message.expression);
                break;
            case 'piece':
                this.from = message.from;
                void this.refresh();
                break;
            case 'states': {
                const { uri, property, parameter } = this.which;
                void vscode.commands.executeCommand('stubborn.showStates', uri, property, parameter?.name, parameter?.value);
                break;
            }
            case 'copy':
                void this.copy(message.form);
                break;
        }
    }

    private mark(): void {
        if (this.isOfText) {
            this.marks.show(this.trace, this.step);
        } else {
            this.marks.hide();
        }
    }

    private refreshSoon(): void {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => void this.refresh(), SOON);
    }

    /** What the server answers to a question about the run; nothing where there is none, or the text changes meanwhile. */
    private async ask<T>(method: string, more: object = {}): Promise<T | undefined> {
        try {
            const client = await this.server();
            const { uri, property, parameter } = this.which;
            // The server answers about open texts; after a restart the one of a restored panel may not be open yet.
            // One that is gone the server has words for.
            await vscode.workspace.openTextDocument(vscode.Uri.parse(uri)).then(undefined, () => undefined);
            return await client?.sendRequest<T>(method, { textDocument: { uri }, property, parameter, from: this.from, ...more });
        } catch {
            // It asks again when the verdict has come.
            return undefined;
        }
    }

    private async refresh(): Promise<void> {
        if (!this.isReady) {
            return;
        }
        const asked = ++this.asked;
        const answer = await this.ask<{ trace?: Trace; message?: string }>('stubborn/trace');
        if (asked !== this.asked || answer === undefined) {
            return;
        }
        this.isOfText = answer.trace !== undefined;
        if (answer.trace === undefined) {
            this.mark();
            this.tell({ type: 'none', which: this.which, message: answer.message ?? '' });
            return;
        }
        this.trace = answer.trace;
        this.tell({ type: 'trace', which: this.which, trace: answer.trace, isNew: this.isNew });
        this.isNew = false;
    }

    private async evaluate(expression: string): Promise<void> {
        const answer = await this.ask<{ values?: ValueFrom[]; message?: string }>('stubborn/evaluate', { expression });
        if (answer !== undefined) {
            this.tell({ type: 'values', expression, ...answer });
        }
    }

    private async copy(form: Form): Promise<void> {
        const answer = await this.ask<{ text?: string; message?: string }>('stubborn/traceText', { form });
        if (answer?.text === undefined) {
            void vscode.window.showWarningMessage(answer?.message ?? 'The trace could not be copied.');
            return;
        }
        await vscode.env.clipboard.writeText(answer.text);
        this.tell({ type: 'copied', form });
        vscode.window.setStatusBarMessage(`$(check) The trace of ${this.which.property} is in the clipboard.`, 4000);
    }

    // --- The text ---

    /** Shows the source of the step, and leaves the keyboard where it is. */
    private async reveal(): Promise<void> {
        const place = this.marks.placeOf(this.trace, this.step);
        if (place === undefined) {
            return;
        }
        const open = vscode.window.visibleTextEditors.find(editor => editor.document.uri.toString() === place.uri.toString());
        if (open !== undefined) {
            open.revealRange(place.range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
            return;
        }
        const besides = vscode.window.visibleTextEditors[0]?.viewColumn ?? vscode.ViewColumn.One;
        const document = await vscode.workspace.openTextDocument(place.uri);
        const editor = await vscode.window.showTextDocument(document, { viewColumn: besides, preserveFocus: true });
        editor.revealRange(place.range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    }

    /** The cursor is somewhere: a step of its line is the one to go to. */
    private follow(change: vscode.TextEditorSelectionChangeEvent): void {
        // Only a person moves it by mouse or keyboard.
        if (change.kind === undefined || change.kind === vscode.TextEditorSelectionChangeKind.Command || this.trace === undefined) {
            return;
        }
        const line = change.selections[0]?.active.line;
        const steps = line === undefined ? [] : this.marks.stepsOf(this.trace, change.textEditor.document.uri, line);
        const nearest = steps.reduce<number | undefined>(
            (best, step) => (best === undefined || Math.abs(step - this.step) < Math.abs(best - this.step) ? step : best),
            undefined,
        );
        this.tell({ type: 'line', steps, step: nearest });
    }

    private isFile(uri: vscode.Uri): boolean {
        const files = [this.which.uri, ...(this.trace?.files ?? [])];
        return files.some(file => vscode.Uri.parse(file).toString() === uri.toString());
    }

    private isOfTrace(document: vscode.TextDocument): boolean {
        return this.isFile(document.uri);
    }
}

function title(which: Which): string {
    const parameter = which.parameter === undefined ? '' : `, ${which.parameter.name} = ${which.parameter.value}`;
    return `Trace of ${which.property}${parameter}`;
}
