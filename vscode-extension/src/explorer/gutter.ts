// The marks at the edge of the text: how each property stands, at its line.

import * as vscode from 'vscode';
import { linesOf, MARKS, type Mark } from './marks';
import type { FileStanding } from './protocol';

export class Gutter implements vscode.Disposable {
    private readonly types: ReadonlyMap<Mark, vscode.TextEditorDecorationType>;

    constructor(
        context: vscode.ExtensionContext,
        private readonly standings: ReadonlyMap<string, FileStanding>,
    ) {
        const icon = (mark: Mark) => vscode.Uri.joinPath(context.extensionUri, 'icons', 'gutter', `${mark}.svg`);
        const ruler: Partial<Record<Mark, string>> = {
            violated: 'editorOverviewRuler.errorForeground',
            undecided: 'editorOverviewRuler.warningForeground',
        };
        this.types = new Map(
            MARKS.map(mark => {
                const color = ruler[mark];
                return [
                    mark,
                    vscode.window.createTextEditorDecorationType({
                        gutterIconPath: icon(mark),
                        gutterIconSize: 'contain',
                        rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
                        ...(color === undefined
                            ? {}
                            : {
                                  overviewRulerColor: new vscode.ThemeColor(color),
                                  overviewRulerLane: vscode.OverviewRulerLane.Left,
                              }),
                    }),
                ];
            }),
        );
    }

    /** Draws the marks of all editors anew. */
    draw(): void {
        for (const editor of vscode.window.visibleTextEditors) {
            this.drawIn(editor);
        }
    }

    private drawIn(editor: vscode.TextEditor): void {
        const uri = editor.document.uri.toString();
        const wanted = vscode.workspace.getConfiguration('stubborn', editor.document).get('gutter.enabled', true);
        const own = this.standings.get(uri)?.properties ?? [];
        // What a file declares that others use stands in all of them alike; its own word comes first.
        const used = [...this.standings.values()].flatMap(file => file.properties);
        const all = own.length > 0 || used.length === 0 ? own : used;
        const lines = wanted ? linesOf(uri, all) : [];
        for (const [mark, type] of this.types) {
            const here = lines.filter(line => line.mark === mark && line.line < editor.document.lineCount);
            editor.setDecorations(
                type,
                here.map(({ line }) => new vscode.Range(line, 0, line, 0)),
            );
        }
    }

    dispose(): void {
        for (const type of this.types.values()) {
            type.dispose();
        }
    }
}
