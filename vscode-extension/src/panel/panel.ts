// The trace panel's end in the extension: it asks the server for what the page shows, and holds page and text together.

import * as vscode from 'vscode';
import { TRACE_PANEL } from '../explorer/sight';
import { type Evaluated, Evaluations } from './evaluations';
import { Marks } from './marks';
import { LAST, tellingOf, type Form, type Place, type ToExtension, type ToPage, type Trace, type Which } from './protocol';
import { html } from './page';
import { named, PanelOfPage, type Server, showPlace } from './panel-of-page';
import { followed, type Name, nameOf, renamed } from './renamed';

/** So many steps stand before the one that tells most, of a run in pieces. */
const BEFORE = 100;

/** Has the panel there when somebody asks for it. There is one in a window. */
export function registerTracePanel(context: vscode.ExtensionContext, server: Server): void {
    let panel: TracePanel | undefined;
    const show = (which: Which, restored?: { panel: vscode.WebviewPanel; place: Place }): void => {
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
        vscode.window.registerWebviewPanelSerializer(TRACE_PANEL, {
            deserializeWebviewPanel: async (restored, place: Place | undefined) => {
                if (place?.which === undefined) {
                    restored.dispose();
                } else {
                    show(place.which, { panel: restored, place });
                }
            },
        }),
        { dispose: () => panel?.dispose() },
    );
}

class TracePanel extends PanelOfPage<ToPage, ToExtension> {
    private readonly marks = new Marks();
    private trace: Trace | undefined;
    /** The name of its property, as long as that is there. */
    private name: Name | undefined;
    /** From which step on a long run is shown. */
    private from: number;
    private step = 0;
    /** Whether the run is one of the text as it is. The lines of another text say nothing. */
    private isOfText = false;
    /** Whether the page is to show what tells most, and not to stay where it is. */
    private isNew: boolean;
    private readonly evaluations = new Evaluations((expression, signal) => this.askWhat(expression, signal));
    /** How often a text has changed, of this model or of another one: an expression may name what stands in any of those that are used. */
    private changes = 0;

    constructor(
        context: vscode.ExtensionContext,
        server: Server,
        private which: Which,
        restored?: { panel: vscode.WebviewPanel; place: Place },
    ) {
        super(context, server, { type: TRACE_PANEL, title: title(which), name: 'trace', html, soon: 200, column: vscode.ViewColumn.Beside }, restored?.panel);
        this.isNew = restored === undefined;
        const files = vscode.workspace.createFileSystemWatcher('**/*.{stb,tester}', true, false, true);
        this.from = restored === undefined ? LAST : (restored.place.from ?? 0);
        this.parts.push(
            this.marks,
            { dispose: () => this.evaluations.forget() },
            vscode.workspace.onDidChangeTextDocument(change => this.changed(change)),
            files,
            files.onDidChange(file => (this.changes += isOpen(file) ? 0 : 1)),
            // What was not saved is gone.
            vscode.workspace.onDidCloseTextDocument(document => (this.changes += document.isDirty ? 1 : 0)),
            // Verdicts come as diagnostics.
            vscode.languages.onDidChangeDiagnostics(change => change.uris.some(uri => this.isFile(uri)) && this.refreshSoon()),
            vscode.window.onDidChangeTextEditorSelection(change => this.follow(change)),
            vscode.window.onDidChangeVisibleTextEditors(() => this.mark()),
        );
    }

    /** Shows another run, or the same one from its telling step. */
    show(which: Which): void {
        if (JSON.stringify(which) !== JSON.stringify(this.which)) {
            this.evaluations.forget();
        }
        this.which = which;
        this.name = undefined;
        this.from = LAST;
        this.isNew = true;
        this.panel.title = title(which);
        this.panel.reveal(undefined, false);
        void this.refresh();
    }

    protected hear(message: ToExtension): void {
        switch (message.type) {
            case 'ready':
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
            case 'leave':
                this.evaluations.leave(message.expression);
                break;
            case 'piece':
                this.from = message.from;
                this.evaluations.forget();
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

    /** Which run is asked about. */
    private get more(): object {
        const { property, parameter } = this.which;
        return { property, parameter, from: this.from };
    }

    protected async refresh(): Promise<void> {
        if (!this.isReady) {
            return;
        }
        let answer = await this.askForTrace();
        const trace = answer?.trace;
        if (this.isNew && trace !== undefined && trace.from > 0 && tellingOf(trace) <= trace.from) {
            // A cycle so long that it begins before the last piece.
            this.from = Math.max(0, tellingOf(trace) - BEFORE);
            answer = await this.askForTrace();
        }
        if (answer === undefined) {
            return;
        }
        this.isOfText = answer.trace !== undefined;
        if (answer.trace === undefined) {
            this.evaluations.forget();
            this.mark();
            this.tell({ type: 'none', which: this.which, file: named(this.which.uri), message: answer.message ?? '' });
            return;
        }
        this.trace = answer.trace;
        this.from = answer.trace.from;
        this.name = nameOf(answer.trace);
        const isSame = this.evaluations.turnTo(this.whatCounts(answer.trace));
        this.tell({ type: 'trace', which: this.which, file: named(this.which.uri), trace: answer.trace, isNew: this.isNew, isSame });
        this.isNew = false;
    }

    private askForTrace(): Promise<{ trace?: Trace; message?: string } | undefined> {
        return this.askForPage('stubborn/trace', this.which.uri, this.more);
    }

    private async evaluate(expression: string): Promise<void> {
        const answer = await this.evaluations.of(expression);
        if (answer !== undefined) {
            this.tell({ type: 'values', expression, ...answer });
        }
    }

    private async askWhat(expression: string, signal: AbortSignal): Promise<Evaluated | undefined> {
        const taking = new vscode.CancellationTokenSource();
        signal.addEventListener('abort', () => taking.cancel(), { once: true });
        try {
            return await this.ask<Evaluated>('stubborn/evaluate', this.which.uri, { ...this.more, expression }, taking.token);
        } finally {
            taking.dispose();
        }
    }

    /** All that may have a say in what an expression is along the trace. */
    private whatCounts(trace: Trace): string {
        return JSON.stringify([this.which, this.changes, trace]);
    }

    private async copy(form: Form): Promise<void> {
        const answer = await this.ask<{ text?: string; message?: string }>('stubborn/traceText', this.which.uri, { ...this.more, form });
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
        await showPlace(place.uri, place.range);
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
        const { trace } = this;
        const files = [this.which.uri, ...(trace === undefined ? [] : [trace.location.uri, ...trace.files])];
        return files.some(file => vscode.Uri.parse(file).toString() === uri.toString());
    }

    /** The text that the trace is of has changed: it may be that of a property of another name. */
    private changed({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
        if (document.languageId === 'stubborn' && contentChanges.length > 0) {
            this.changes++;
        }
        if (!this.isFile(document.uri)) {
            return;
        }
        // Without changes it has been saved, or is to be.
        if (contentChanges.length > 0) {
            this.evaluations.forget();
        }
        const isNamedThere = this.trace !== undefined && vscode.Uri.parse(this.trace.location.uri).toString() === document.uri.toString();
        if (this.name !== undefined && isNamedThere) {
            const before = this.name.text;
            this.name = followed(this.name, contentChanges);
            if (this.name !== undefined && this.name.text !== before && this.name.text !== '') {
                this.which = { ...this.which, property: renamed(this.which.property, this.name) };
                this.panel.title = title(this.which);
            }
        }
        this.refreshSoon();
    }
}

function isOpen(file: vscode.Uri): boolean {
    return vscode.workspace.textDocuments.some(document => document.uri.toString() === file.toString());
}

function title(which: Which): string {
    const parameter = which.parameter === undefined ? '' : `, ${which.parameter.name} = ${which.parameter.value}`;
    return `Trace of ${which.property}${parameter}`;
}
