// What stands in the text while a trace is shown: at the ends of the lines that it passes the numbers of the steps and
// what they change, and the line of the step itself.

import * as vscode from 'vscode';
import { lineNotes, placeOfStep, stepsOfLine } from './lines';
import type { Trace } from './protocol';

export class Marks implements vscode.Disposable {
    private readonly notes = vscode.window.createTextEditorDecorationType({
        after: { margin: '0 0 0 2.5em', color: new vscode.ThemeColor('editorCodeLens.foreground') },
        rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
    });
    private readonly current = vscode.window.createTextEditorDecorationType({
        isWholeLine: true,
        backgroundColor: new vscode.ThemeColor('editor.stackFrameHighlightBackground'),
        overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.infoForeground'),
        overviewRulerLane: vscode.OverviewRulerLane.Full,
    });

    show(trace: Trace | undefined, step: number): void {
        if (trace === undefined) {
            return;
        }
        const place = this.placeOf(trace, step);
        for (const editor of vscode.window.visibleTextEditors) {
            const file = fileOf(trace, editor.document.uri);
            if (file === undefined) {
                continue;
            }
            const notes = lineNotes(trace, file, step).filter(note => note.line < editor.document.lineCount);
            editor.setDecorations(
                this.notes,
                notes.map(note => {
                    const end = editor.document.lineAt(note.line).range.end;
                    return { range: new vscode.Range(end, end), renderOptions: { after: { contentText: note.text } } };
                }),
            );
            const isHere = place !== undefined && place.uri.toString() === editor.document.uri.toString();
            editor.setDecorations(this.current, isHere ? [place.range] : []);
        }
    }

    hide(): void {
        for (const editor of vscode.window.visibleTextEditors) {
            editor.setDecorations(this.notes, []);
            editor.setDecorations(this.current, []);
        }
    }

    placeOf(trace: Trace | undefined, step: number): { uri: vscode.Uri; range: vscode.Range } | undefined {
        const place = trace === undefined ? undefined : placeOfStep(trace, step);
        const file = place === undefined ? undefined : trace?.files[place.file];
        if (place === undefined || file === undefined) {
            return undefined;
        }
        const { start, end } = place.range;
        return { uri: vscode.Uri.parse(file), range: new vscode.Range(start.line, start.character, end.line, end.character) };
    }

    stepsOf(trace: Trace, uri: vscode.Uri, line: number): number[] {
        const file = fileOf(trace, uri);
        return file === undefined ? [] : stepsOfLine(trace, file, line);
    }

    dispose(): void {
        this.notes.dispose();
        this.current.dispose();
    }
}

function fileOf(trace: Trace, uri: vscode.Uri): number | undefined {
    const at = trace.files.findIndex(file => vscode.Uri.parse(file).toString() === uri.toString());
    return at < 0 ? undefined : at;
}
