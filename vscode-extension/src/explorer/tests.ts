// The properties as tests: files, their properties, and the values of these properties' parameters.

import * as vscode from 'vscode';
import { openOurs } from '../language';
import { families, rangeOfTest, type Family } from './marks';
import { grouped } from './numbers';
import type { FileStanding, PropertyStanding, State } from './protocol';
import { ourTesters } from './testers';

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

/** A run in which it is shown what has come of properties. */
class Shown {
    /** For so long, in milliseconds, the server is asked for messages. */
    patience = 2_000;
    /** The messages that are still asked for. */
    messages: Promise<void> = Promise.resolve();

    constructor(readonly run: vscode.TestRun) {}

    /** Ends the run, once it has all messages. */
    async end(): Promise<void> {
        await this.messages;
        this.run.end();
    }
}

/** A run in which the results of checks appear that nobody has asked for as tests. */
interface Unasked {
    readonly shown: Shown;
    /** What is not decided yet, and what was told of it. */
    readonly open: Map<string, State>;
}

/** A property that something has come of, and its test. */
interface Result {
    readonly item: vscode.TestItem;
    readonly one: PropertyStanding;
}

export class Tests implements vscode.Disposable {
    private readonly controller = vscode.tests.createTestController('stubborn', 'Stubborn');
    private readonly subjects = new WeakMap<vscode.TestItem, Subject>();
    /** What was last reported of each property, by the identity of its test; nothing where that is outdated. */
    private readonly reported = new Map<string, string>();
    /** Properties that are checked because somebody runs their tests. */
    private readonly asked = new Set<string>();
    private readonly unasked = new Map<string, Unasked>();

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
        this.report(standing);
    }

    /** Where a test's property stands, and its name. */
    subjectOf(item: vscode.TestItem): (Subject & { readonly at?: vscode.Range }) | undefined {
        const subject = this.subjects.get(item);
        const all = subject && this.standings.get(subject.file.toString())?.properties;
        const one = all?.find(one => one.name === subject?.name || one.base === subject?.name);
        const at = range(one?.range);
        return subject && { ...subject, ...(one && { file: vscode.Uri.parse(one.uri) }), ...(at && { at }) };
    }

    /** A file is gone for good. */
    forget(uri: vscode.Uri): void {
        this.controller.items.delete(uri.toString());
    }

    /** No server tells anything any more. */
    reset(): void {
        for (const { shown } of this.unasked.values()) {
            shown.run.end();
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
        item.range = range(rangeOfTest(one, isOn));
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
    private report(standing: FileStanding): void {
        const items = this.leaves(standing.uri);
        const fallen: Result[] = [];
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
                    const { shown, open } = this.unaskedRun(standing.uri, item);
                    if (open.get(id) !== one.state) {
                        (one.state === 'waiting' ? shown.run.enqueued : shown.run.started).call(shown.run, item);
                    }
                    this.reported.delete(id);
                    open.set(id, one.state);
                    break;
                }
                case 'holds':
                case 'violated':
                case 'undecided': {
                    const told = wordsOf(one);
                    this.unasked.get(standing.uri)?.open.delete(id);
                    if (this.reported.get(id) !== told) {
                        this.reported.set(id, told);
                        this.unaskedRun(standing.uri, item);
                        fallen.push({ item, one });
                    }
                    break;
                }
            }
        }
        const unasked = this.unasked.get(standing.uri);
        if (unasked === undefined) {
            return;
        }
        this.results(unasked.shown, standing.uri, fallen);
        if (unasked.open.size === 0) {
            this.unasked.delete(standing.uri);
            void unasked.shown.end();
        }
    }

    private unaskedRun(file: string, item: vscode.TestItem): Unasked {
        const known = this.unasked.get(file);
        if (known !== undefined) {
            return known;
        }
        // Of its own accord, as a run that goes on by itself: it takes no focus, and opens nothing.
        const request = new vscode.TestRunRequest([item], undefined, undefined, true, true);
        const shown = new Shown(this.controller.createTestRun(request, 'As the text was checked', false));
        const made = { shown, open: new Map<string, State>() };
        this.unasked.set(file, made);
        return made;
    }

    /**
     * Shows what has come of properties: at once how they stand, and one after the other the messages for which the server
     * is asked. It has others to answer, so that of very many some have the sentence alone, and the run behind a link.
     */
    private results(shown: Shown, file: string, all: readonly Result[]): void {
        const { run } = shown;
        // What others have taken with it says nothing of this one.
        const took = (one: PropertyStanding) => (one.took > 0 ? one.took * 1000 : undefined);
        for (const { item, one } of all) {
            run.appendOutput(`${brief(one)}\r\n`, undefined, item);
            if (one.right === true) {
                run.passed(item, took(one));
            } else if (isWrong(one)) {
                goesWrong(run, item, one, [], took(one));
            } else {
                run.skipped(item);
            }
        }
        const explain = async ({ item, one }: Result): Promise<void> => {
            const id = `${file} ${one.name}`;
            const isSo = () => this.reported.get(id) === wordsOf(one);
            if (!isSo()) {
                return;
            }
            const begun = Date.now();
            const text = shown.patience > 0 ? await this.checker.explain(this.fileOf(item, one), one.name).catch(() => undefined) : undefined;
            shown.patience -= Date.now() - begun;
            // The text may have changed meanwhile, and nothing be known of it.
            if (isSo()) {
                goesWrong(run, item, one, [this.message(item, one, text)], took(one));
            }
        };
        for (const result of all.filter(({ one }) => isWrong(one))) {
            shown.messages = shown.messages.then(() => explain(result)).catch(() => undefined);
        }
    }

    private fileOf(item: vscode.TestItem, one: PropertyStanding): vscode.Uri {
        return this.subjects.get(item)?.file ?? vscode.Uri.parse(one.uri);
    }

    private message(item: vscode.TestItem, one: PropertyStanding, explained: string | undefined): vscode.TestMessage {
        const text = new vscode.MarkdownString(explained ?? brief(one));
        if (one.hasRun) {
            const show = encodeURIComponent(JSON.stringify([this.fileOf(item, one).toString(), one.name]));
            text.appendMarkdown(`\n\n[Show the trace](command:${SHOW_TRACE}?${show})`);
            text.isTrusted = { enabledCommands: [SHOW_TRACE] };
        }
        // Without a place: the text has its mark, its line and its squiggle there already.
        return new vscode.TestMessage(text);
    }

    /** Runs what a person has asked for. */
    private async run(request: vscode.TestRunRequest, unlimited: boolean, token: vscode.CancellationToken): Promise<void> {
        const shown = new Shown(this.controller.createTestRun(request, unlimited ? 'Check Without Limits' : 'Check'));
        try {
            if (request.include === undefined && this.controller.items.size === 0) {
                await this.discover();
            }
            const wanted = request.include ?? all(this.controller.items);
            await Promise.all(wanted.map(item => this.runOne(shown, item, new Set(request.exclude ?? []), unlimited, token)));
        } finally {
            await shown.end();
        }
    }

    private async runOne(
        shown: Shown,
        item: vscode.TestItem,
        without: ReadonlySet<vscode.TestItem>,
        unlimited: boolean,
        token: vscode.CancellationToken,
    ): Promise<void> {
        const subject = this.subjects.get(item);
        if (subject === undefined || without.has(item)) {
            return;
        }
        await openOurs(subject.file);
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
        const { run } = shown;
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
            const found: Result[] = [];
            for (const one of answer) {
                const leaf = leaves.get(one.name);
                if (leaf !== undefined && !excluded(leaf)) {
                    this.reported.set(`${file} ${one.name}`, wordsOf(one));
                    found.push({ item: leaf, one });
                }
            }
            this.results(shown, file, found);
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
                this.report(standing);
            }
        }
    }

    /** Lists the models and testers of the workspace. */
    private async discover(): Promise<void> {
        const models = await vscode.workspace.findFiles('**/*.stb');
        for (const uri of [...models, ...(await ourTesters())]) {
            this.fileItem(uri);
        }
    }

    /** Has the server look at a file that was only listed. */
    private async open(item: vscode.TestItem): Promise<void> {
        const subject = this.subjects.get(item);
        if (subject !== undefined && item.canResolveChildren) {
            await openOurs(subject.file);
        }
    }

    dispose(): void {
        this.controller.dispose();
    }
}

/** Shows a trace in its panel. Takes a file and a property. */
export const SHOW_TRACE = 'stubborn.showTrace';

/** Whether a setting is on; it is unless it says otherwise. */
function isOn(setting: string): boolean {
    return vscode.workspace.getConfiguration().get(setting, true);
}

function range(at: PropertyStanding['range'] | undefined): vscode.Range | undefined {
    return at && new vscode.Range(at.start.line, at.start.character, at.end.line, at.end.character);
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

/** Whether it is shown with a message. */
function isWrong(one: PropertyStanding): boolean {
    return one.right === false || (one.right === null && one.state === 'undecided');
}

/** How a property stands, in a line. */
function brief(one: PropertyStanding): string {
    return `${one.name}: ${one.told}${one.why === null ? '' : `: ${one.why}`}`;
}

/** All that is shown of it. */
function wordsOf(one: PropertyStanding): string {
    return `${one.state} ${one.right} ${one.why ?? ''}`;
}

function goesWrong(
    run: vscode.TestRun,
    item: vscode.TestItem,
    one: PropertyStanding,
    messages: readonly vscode.TestMessage[],
    took: number | undefined,
): void {
    if (one.right === false) {
        run.failed(item, messages, took);
    } else {
        run.errored(item, messages, took);
    }
}

function all(items: vscode.TestItemCollection): vscode.TestItem[] {
    const found: vscode.TestItem[] = [];
    items.forEach(item => found.push(item));
    return found;
}
