// What stands at the edge of a property's line. Nothing here knows the editor, so that it can be tested
// without one.

import type { PropertyStanding } from './protocol';

export const MARKS = ['violated', 'undecided', 'checking', 'outdated', 'unchecked', 'holds'] as const;

/** As a person sees it: `violated` is a verdict that is not the one that the text expects. */
export type Mark = (typeof MARKS)[number];

export function markOf(one: PropertyStanding): Mark {
    switch (one.state) {
        case 'running':
        case 'waiting':
            return 'checking';
        case 'stale':
            return one.before === null ? 'unchecked' : 'outdated';
        case 'undecided':
            return 'undecided';
        case 'holds':
        case 'violated':
            return one.right === false ? 'violated' : 'holds';
    }
}

/** One mark for several properties: the one that a person should see first. */
export function markOfAll(all: readonly PropertyStanding[]): Mark | undefined {
    const marks = new Set(all.map(markOf));
    return MARKS.find(mark => marks.has(mark));
}

/** The properties that stand at one line of a file, with that line. */
export interface Line {
    readonly line: number;
    readonly mark: Mark;
    readonly properties: readonly PropertyStanding[];
}

/** The lines of the file `uri` that have properties. */
export function linesOf(uri: string, all: readonly PropertyStanding[]): Line[] {
    const here = all.filter(one => one.uri === uri);
    const lines = groups(here, one => one.range.start.line);
    return [...lines].map(([line, properties]) => ({ line, properties, mark: markOfAll(properties) ?? 'unchecked' }));
}

/**
 * Where the editor is told that a test stands: nowhere while this extension's marks stand at the edge of the text, as the
 * editor would draw its own icons for tests in their place, which know neither undecided nor outdated. Who has turned these
 * icons off can run the test at the cursor, for which the editor needs the range. `isOn` says of a setting whether it is on.
 */
export function rangeOfTest(one: PropertyStanding | undefined, isOn: (setting: string) => boolean): PropertyStanding['range'] | undefined {
    return isOn('stubborn.gutter.enabled') && isOn('testing.gutterEnabled') ? undefined : one?.range;
}

/** "2 violated, 1 undecided, 4 hold": how the properties of a file stand, in a few words. */
export function summary(all: readonly PropertyStanding[]): string {
    const words: Record<Mark, (count: number) => string> = {
        violated: count => `${count} violated`,
        undecided: count => `${count} undecided`,
        checking: count => `${count} being checked`,
        outdated: count => `${count} outdated`,
        unchecked: count => `${count} not checked`,
        holds: count => (count === 1 ? '1 holds' : `${count} hold`),
    };
    const marks = all.map(markOf);
    const count = (mark: Mark) => marks.filter(one => one === mark).length;
    const parts = MARKS.filter(mark => count(mark) > 0).map(mark => words[mark](count(mark)));
    return parts.join(', ');
}

/** Properties that differ in the values of their parameters alone, under one name. */
export interface Family {
    readonly base: string;
    readonly members: readonly PropertyStanding[];
    /** Whether it has parameters: a property without is the one member of its family. */
    readonly hasParameters: boolean;
}

/** The properties of a file by their names without parameters, in the order of the text. */
export function families(all: readonly PropertyStanding[]): Family[] {
    return [...groups(all, one => one.base)].map(([base, members]) => ({
        base,
        members,
        hasParameters: members.some(one => one.name !== base),
    }));
}

/** Those that are alike by `key` together, in the order of the first ones. */
function groups<K>(all: readonly PropertyStanding[], key: (one: PropertyStanding) => K): Map<K, PropertyStanding[]> {
    const found = new Map<K, PropertyStanding[]>();
    for (const one of all) {
        const alike = found.get(key(one));
        if (alike === undefined) {
            found.set(key(one), [one]);
        } else {
            alike.push(one);
        }
    }
    return found;
}
