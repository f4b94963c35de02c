// The properties as tests: files, their properties, and the values of these properties' parameters.

import * as vscode from 'vscode';
import { families, type Family } from './marks';
import { grouped } from './numbers';
import type { FileStanding, PropertyStanding } from './protocol';

/** What the tests need of the server. */
export interface Checker {
    /** Checks properties of an open file, all of them where none is named, and says how they stand then. */
    check(
        file: vscode.Uri,
        properties: string[],
        unlimited: boolean,
        token: vscode.CancellationToken,
    ): Promise<readonly PropertyStanding[]>;
    /** How a property stands, with the run that shows it, in Markdown. */
    explain(file: vscode.Uri, property: string): Promise<string | undefined>;
}

/** A property's test, or the one of a file or of a family, which have others below them. */
interface Subject {
    readonly file: vscode.Uri;
    /** As the server is asked for it; all properties of the file where there is none. */
    readonly name?: string;
}

/** A run in which the results of checks appear that nobody has asked for as tests. */
interface Unasked {
    readonly run: vscode.TestRun;
    readonly open: Set<string>;
}

export class Tests implements vscode.Disposable {
    private readonly controller = vscode.tests.createTestController('stubborn', 'Stubborn');
    private readonly subjects = new WeakMap<vscode.TestItem, Subject>();
    /** What was last reported of each property, by the identity of its test; nothing where that is outdated. */
    private readonly reported = new Map<string, string>();
    /** Properties that are checked because somebody runs their tests. */
    private readonly asked = new Set<string>();
    private readonly unasked = new Map<string, Unasked>();
    /** The last report, for which the next one waits. */
    private last: Promise<void> = Promise.resolve();

    constructor(
        private readonly checker: Checker,
        private readonly standings: ReadonlyMap<string, FileStanding>,
    ) {
        const profile = (name: string, unlimited: boolean) => {
            this.controller.createRunProfile(
                name,
                vscode.TestRunProfileKind.Run,
                (request, token) => this.run(request, unlimited, token),
                !unlimited,
            );
        };
        profile('Check', false);
        profile('Check Without Limits', true);
        this.controller.resolveHandler = item => (item === undefined ? this.discover() : this.open(item));
        this.controller.refreshHandler = () => this.discover();
    }

    /** Takes in how the properties of a file stand. */
    show(standing: FileStanding): void {
        const file = this.fileItem(vscode.Uri.parse(standing.uri));
        file.error = standing.problem ?? undefined;
        file.canResolveChildren = false;
        const properties = families(standing.properties);
        this.place(file, properties);
        this.reportNext(standing);
    }

    /** Reports one standing after the other: explaining a failure takes a while, and a later one must not end its run. */
    private reportNext(standing: FileStanding): void {
        this.last = this.last.then(() => this.report(standing)).catch(() => undefined);
    }

    /** Where a test's property stands, and its name. */
    subjectOf(item: vscode.TestItem): (Subject & { readonly at?: vscode.Range }) | undefined {
        const subject = this.subjects.get(item);
        const all = subject && this.standings.get(subject.file.toString())?.properties;
        const one = all?.find(one => one.name === subject?.name || one.base === subject?.name);
        const at = range(one);
        return subject && { ...subject, ...(one && { file: vscode.Uri.parse(one.uri) }), ...(at && { at }) };
    }

    /** A file is gone for good. */
    forget(uri: vscode.Uri): void {
        this.controller.items.delete(uri.toString());
    }

    /** No server tells anything any more. */
    reset(): void {
        for (const { run } of this.unasked.values()) {
            run.end();
        }
        this.unasked.clear();
        this.reported.clear();
        this.controller.invalidateTestResults();
    }

    private fileItem(uri: vscode.Uri): vscode.TestItem {
        const id = uri.toString();
        const known = this.controller.items.get(id);
        if (known !== undefined) {
            return known;
        }
        const item = this.controller.createTestItem(id, vscode.workspace.asRelativePath(uri), uri);
        item.canResolveChildren = true;
        this.subjects.set(item, { file: uri });
        this.controller.items.add(item);
        return item;
    }

    private place(file: vscode.TestItem, properties: readonly Family[]): void {
        const subject = this.subjects.get(file);
        if (subject === undefined) {
            return;
        }
        const all = properties.map(({ base, members, hasParameters }, at) => {
            const first = members[0];
            const item = this.below(file.children, subject.file, base, base, first, at);
            const below = hasParameters ? members : [];
            item.children.replace(
                below.map((one, at) => this.below(item.children, subject.file, one.name, one.name.slice(base.length), one, at)),
            );
            item.description = hasParameters ? `${members.length} values` : described(first);
            return item;
        });
        file.children.replace(all);
    }

    private below(
        among: vscode.TestItemCollection,
        file: vscode.Uri,
        name: string,
        label: string,
        one: PropertyStanding | undefined,
        at: number,
    ): vscode.TestItem {
        const uri = one === undefined ? file : vscode.Uri.parse(one.uri);
        const id = name;
        const known = among.get(id);
        const item =
            known !== undefined && known.uri?.toString() === uri.toString()
                ? known
                : this.controller.createTestItem(id, label, uri);
        item.sortText = String(at).padStart(6, '0');
        item.range = hasOwnMarks() ? undefined : range(one);
        item.description = described(one);
        this.subjects.set(item, { file, name });
        return item;
    }

    /** The test of each property of a file that has no others below it, by the property's name. */
    private leaves(file: string): Map<string, vscode.TestItem> {
        const found = new Map<string, vscode.TestItem>();
        this.controller.items.get(file)?.children.forEach(item => {
            if (item.children.size === 0) {
                found.set(item.id, item);
            }
            item.children.forEach(child => found.set(child.id, child));
        });
        return found;
    }

    /** Shows what has come of checks that nobody has asked for as tests, such as the one of a save. */
    private async report(standing: FileStanding): Promise<void> {
        const items = this.leaves(standing.uri);
        for (const one of standing.properties) {
            const item = items.get(one.name);
            const id = `${standing.uri} ${one.name}`;
            if (item === undefined || this.asked.has(id)) {
                continue;
            }
            switch (one.state) {
                case 'stale':
                    this.unasked.get(standing.uri)?.open.delete(id);
                    if (this.reported.delete(id)) {
                        this.controller.invalidateTestResults(item);
                    }
                    break;
                case 'running':
                case 'waiting': {
                    const { run, open } = this.unaskedRun(standing.uri, item);
                    if (one.state === 'waiting') {
                        run.enqueued(item);
                    } else {
                        run.started(item);
                    }
                    this.reported.delete(id);
                    open.add(id);
                    break;
                }
                case 'holds':
                case 'violated':
                case 'undecided': {
                    const told = `${one.state} ${one.right} ${one.why ?? ''}`;
                    const { run, open } = this.unasked.get(standing.uri) ?? {};
                    open?.delete(id);
                    if (this.reported.get(id) !== told) {
                        this.reported.set(id, told);
                        const into = run ?? this.unaskedRun(standing.uri, item).run;
                        await this.result(into, item, one);
                    }
                    break;
                }
            }
        }
        const unasked = this.unasked.get(standing.uri);
        if (unasked !== undefined && unasked.open.size === 0) {
            this.unasked.delete(standing.uri);
            unasked.run.end();
        }
    }

    private unaskedRun(file: string, item: vscode.TestItem): Unasked {
        const known = this.unasked.get(file);
        if (known !== undefined) {
            return known;
        }
        // Of its own accord, as a run that goes on by itself: it takes no focus, and opens nothing.
        const request = new vscode.TestRunRequest([item], undefined, undefined, true, true);
        const made = { run: this.controller.createTestRun(request, 'As the text was checked', false), open: new Set<string>() };
        this.unasked.set(file, made);
        return made;
    }

    private async result(run: vscode.TestRun, item: vscode.TestItem, one: PropertyStanding): Promise<void> {
        const took = one.seconds * 1000;
        run.appendOutput(`${one.name}: ${one.told}${one.why === null ? '' : `: ${one.why}`}\r\n`, undefined, item);
        if (one.right === true) {
            run.passed(item, took);
        } else if (one.right === false) {
            run.failed(item, await this.message(item, one), took);
        } else if (one.state === 'undecided') {
            run.errored(item, await this.message(item, one), took);
        } else {
            run.skipped(item);
        }
    }

    private async message(item: vscode.TestItem, one: PropertyStanding): Promise<vscode.TestMessage> {
        const subject = this.subjects.get(item);
        const file = subject?.file ?? vscode.Uri.parse(one.uri);
        const explained = await this.checker.explain(file, one.name).catch(() => undefined);
        const text = new vscode.MarkdownString(explained ?? `${one.name} ${one.told}${one.why === null ? '' : `: ${one.why}`}`);
        if (one.hasRun) {
            const show = encodeURIComponent(JSON.stringify([file.toString(), one.name]));
            text.appendMarkdown(`\n\n[Show the trace](command:${SHOW_TRACE}?${show})`);
            text.isTrusted = { enabledCommands: [SHOW_TRACE] };
        }
        // Without a place: the text has its mark, its line and its squiggle there already.
        return new vscode.TestMessage(text);
    }

    /** Runs what a person has asked for. */
    private async run(request: vscode.TestRunRequest, unlimited: boolean, token: vscode.CancellationToken): Promise<void> {
        const run = this.controller.createTestRun(request, unlimited ? 'Check Without Limits' : 'Check');
        try {
            if (request.include === undefined && this.controller.items.size === 0) {
                await this.discover();
            }
            const wanted = request.include ?? all(this.controller.items);
            await Promise.all(wanted.map(item => this.runOne(run, item, new Set(request.exclude ?? []), unlimited, token)));
        } finally {
            run.end();
        }
    }

    private async runOne(
        run: vscode.TestRun,
        item: vscode.TestItem,
        without: ReadonlySet<vscode.TestItem>,
        unlimited: boolean,
        token: vscode.CancellationToken,
    ): Promise<void> {
        const subject = this.subjects.get(item);
        if (subject === undefined || without.has(item)) {
            return;
        }
        await vscode.workspace.openTextDocument(subject.file);
        const file = subject.file.toString();
        const isMeant = (name: string) => subject.name === undefined || name === subject.name || name.startsWith(`${subject.name}(`);
        const excluded = (leaf: vscode.TestItem) => {
            for (let at: vscode.TestItem | undefined = leaf; at !== undefined; at = at.parent) {
                if (without.has(at)) {
                    return true;
                }
            }
            return false;
        };
        const begun = [...this.leaves(file)].filter(([name, leaf]) => isMeant(name) && !excluded(leaf));
        const ids = begun.map(([name]) => `${file} ${name}`);
        for (const id of ids) {
            this.asked.add(id);
        }
        for (const [, leaf] of begun) {
            run.started(leaf);
        }
        try {
            const names = subject.name === undefined && without.size > 0 ? begun.map(([name]) => name) : [];
            const properties = subject.name === undefined ? names : [subject.name];
            const answer = await this.checker.check(subject.file, properties, unlimited, token);
            const leaves = this.leaves(file);
            for (const one of answer) {
                const leaf = leaves.get(one.name);
                if (leaf !== undefined && !excluded(leaf)) {
                    this.reported.set(`${file} ${one.name}`, `${one.state} ${one.right} ${one.why ?? ''}`);
                    await this.result(run, leaf, one);
                }
            }
        } catch (reason) {
            for (const [, leaf] of begun) {
                if (token.isCancellationRequested) {
                    run.skipped(leaf);
                } else {
                    run.errored(leaf, new vscode.TestMessage(String(reason)));
                }
            }
        } finally {
            for (const id of ids) {
                this.asked.delete(id);
            }
            // What has come of them meanwhile, of whatever text.
            const standing = this.standings.get(file);
            if (standing !== undefined) {
                this.reportNext(standing);
            }
        }
    }

    /** Lists the models and testers of the workspace. */
    private async discover(): Promise<void> {
        for (const uri of await vscode.workspace.findFiles('**/*.stb')) {
            this.fileItem(uri);
        }
    }

    /** Has the server look at a file that was only listed. */
    private async open(item: vscode.TestItem): Promise<void> {
        const subject = this.subjects.get(item);
        if (subject !== undefined && item.canResolveChildren) {
            await vscode.workspace.openTextDocument(subject.file);
        }
    }

    dispose(): void {
        this.controller.dispose();
    }
}

/** Shows a trace in its panel. Takes a file and a property. */
export const SHOW_TRACE = 'stubborn.showTrace';

/**
 * Whether this extension's marks stand at the edge of the text. The editor's own icons for tests would stand in
 * their place: it draws them for tests that have a range, and they know neither undecided nor outdated.
 */
function hasOwnMarks(): boolean {
    return vscode.workspace.getConfiguration('stubborn').get('gutter.enabled', true);
}

function range(one: PropertyStanding | undefined): vscode.Range | undefined {
    if (one === undefined) {
        return undefined;
    }
    const { start, end } = one.range;
    return new vscode.Range(start.line, start.character, end.line, end.character);
}

/** What stands behind a test's name; how long it took the editor says itself. */
function described(one: PropertyStanding | undefined): string {
    if (one === undefined) {
        return '';
    }
    if (one.state === 'stale') {
        return one.before === null ? 'not checked yet' : 'outdated';
    }
    return one.right === true ? `${grouped(one.states)} ${one.states === 1 ? 'state' : 'states'}` : one.told;
}

function all(items: vscode.TestItemCollection): vscode.TestItem[] {
    const found: vscode.TestItem[] = [];
    items.forEach(item => found.push(item));
    return found;
}
