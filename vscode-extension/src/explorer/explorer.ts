// All that shows beside the text how the properties stand: the tests, the marks at the edge, the line at the
// foot of the window, and the commands that check.

import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { registerCommands } from './commands';
import { Gutter } from './gutter';
import {
    checkingNotification,
    checkRequest,
    explanationRequest,
    standingNotification,
    type Checking,
    type FileStanding,
    type PropertyStanding,
} from './protocol';
import { inSight } from './sight';
import { Status } from './status';
import { Tests, type Checker } from './tests';

export class Explorer implements Checker {
    /** By the files' URIs, as the editor writes them. */
    readonly standings = new Map<string, FileStanding>();
    client: LanguageClient | undefined;
    private searches: readonly Checking[] = [];
    private readonly tests = new Tests(this, this.standings);
    private readonly gutter: Gutter;
    private readonly status = new Status();
    /** The text that was in front last. */
    private front = vscode.window.activeTextEditor?.document;

    constructor(context: vscode.ExtensionContext) {
        this.gutter = new Gutter(context, this.standings);
        const files = vscode.workspace.createFileSystemWatcher('**/*.{stb,tester}', true, true);
        files.onDidDelete(uri => {
            this.standings.delete(uri.toString());
            this.tests.forget(uri);
        });
        context.subscriptions.push(
            this.tests,
            this.gutter,
            this.status,
            files,
            vscode.window.onDidChangeActiveTextEditor(editor => {
                this.front = editor?.document ?? this.front;
                this.draw();
            }),
            // The editor says in no certain order that a text has gone from the front and that a panel has come there.
            vscode.window.tabGroups.onDidChangeTabs(() => this.draw()),
            vscode.window.tabGroups.onDidChangeTabGroups(() => this.draw()),
            vscode.window.onDidChangeVisibleTextEditors(() => this.gutter.draw()),
            vscode.workspace.onDidCloseTextDocument(document => {
                // The tests stay, as a list of what was found. Of a tester the server goes on to tell while its model is open.
                this.standings.delete(document.uri.toString());
                this.draw();
            }),
            vscode.workspace.onDidChangeConfiguration(change => {
                if (change.affectsConfiguration('stubborn.gutter') || change.affectsConfiguration('testing.gutterEnabled')) {
                    this.gutter.draw();
                    this.standings.forEach(standing => this.tests.show(standing));
                }
            }),
        );
        registerCommands(context, this);
    }

    /** Listens to a client that is about to be started. */
    attach(client: LanguageClient): void {
        this.client = client;
        client.onNotification(standingNotification, told => {
            const uri = vscode.Uri.parse(told.uri).toString();
            const standing: FileStanding = {
                ...told,
                uri,
                properties: told.properties.map(one => ({ ...one, uri: vscode.Uri.parse(one.uri).toString() })),
            };
            this.standings.set(uri, standing);
            this.draw();
            this.tests.show(standing);
        });
        client.onNotification(checkingNotification, told => {
            this.searches = told.searches;
            this.draw();
        });
    }

    detach(): void {
        this.client = undefined;
        this.searches = [];
        this.standings.clear();
        this.tests.reset();
        this.draw();
    }

    async check(
        file: vscode.Uri,
        properties: string[],
        unlimited: boolean,
        token?: vscode.CancellationToken,
    ): Promise<readonly PropertyStanding[]> {
        const client = this.running();
        const asked = { textDocument: { uri: client.code2ProtocolConverter.asUri(file) }, properties, unlimited };
        return (await client.sendRequest(checkRequest, asked, token)).properties;
    }

    async explain(file: vscode.Uri, property: string): Promise<string | undefined> {
        const client = this.running();
        const asked = { textDocument: { uri: client.code2ProtocolConverter.asUri(file) }, property };
        return (await client.sendRequest(explanationRequest, asked))?.markdown;
    }

    /** Shows the property of a test in its text. */
    async goTo(item: vscode.TestItem): Promise<void> {
        const subject = this.tests.subjectOf(item);
        if (subject !== undefined) {
            await vscode.window.showTextDocument(subject.file, subject.at === undefined ? {} : { selection: subject.at });
        }
    }

    /** The text in front, or behind a panel that tells of one; what is there of another language or program is none. */
    get model(): vscode.TextDocument | undefined {
        const document = inSight(vscode.window.activeTextEditor?.document, this.front, panelInFront());
        return document?.languageId === 'stubborn' && !document.isClosed ? document : undefined;
    }

    /** The client, where there is one that runs. */
    running(): LanguageClient {
        if (this.client === undefined) {
            throw new Error('The server is not running.');
        }
        return this.client;
    }

    private draw(): void {
        this.gutter.draw();
        const { model } = this;
        this.status.draw(this.searches, model && this.standings.get(model.uri.toString()));
        void vscode.commands.executeCommand('setContext', 'stubborn.checking', this.searches.length > 0);
    }
}

/** The type of the panel that has the focus. */
function panelInFront(): string | undefined {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    return input instanceof vscode.TabInputWebview ? input.viewType : undefined;
}
