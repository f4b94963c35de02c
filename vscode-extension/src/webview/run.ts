// A run that one can stand in: what each variable is after so many steps, which steps a filter leaves, and what is said
// of a step. Knows no page, so that it can be tested without one.

import { grouped } from '../explorer/numbers';
import { tellingOf, type Step, type Trace, type ValueFrom, type Variable } from '../panel/protocol';

/** The states in which a variable has another value than in the one before, ascending. */
interface Course {
    readonly states: number[];
    readonly values: string[];
}

export class Run {
    private readonly courses: Course[];
    /** The steps' texts for the filter, made when somebody asks. */
    private readonly named: (string | undefined)[] = [];

    constructor(readonly trace: Trace) {
        this.courses = trace.variables.map(variable => ({ states: [trace.from], values: [variable.value] }));
        trace.steps.forEach((step, at) => {
            for (const change of step.changes ?? []) {
                const course = this.courses[change.variable];
                course?.states.push(trace.from + at + 1);
                course?.values.push(change.after);
            }
        });
    }

    /** The first and the last state that are known, by how many steps lead there. */
    get first(): number {
        return this.trace.from;
    }

    get last(): number {
        return this.trace.from + this.trace.steps.length;
    }

    /** The step that leads to a state; none leads to the first. */
    step(state: number): Step | undefined {
        return this.trace.steps[state - this.trace.from - 1];
    }

    /** What a variable is in a state. */
    value(variable: number, state: number): string {
        const course = this.courses[variable];
        return course?.values[lastAtOrBefore(course.states, state)] ?? '';
    }

    /** What a variable was before the step that leads to the state, if that changes it. */
    changedFrom(variable: number, state: number): string | undefined {
        return this.step(state)?.changes?.find(change => change.variable === variable)?.before;
    }

    /** "taken = false", one for each variable, before the first of the steps; where instances are is left out. */
    firstValues(): string[] {
        return this.trace.variables.flatMap(({ name, kind, value }) => (kind === 'location' ? [] : [`${name} = ${value}`]));
    }

    isOnCycle(state: number): boolean {
        return this.trace.cycleStart !== null && state > this.trace.cycleStart;
    }

    /** Where what is shown shows best, among the states that are known. */
    get telling(): number {
        return Math.max(this.first, Math.min(this.last, tellingOf(this.trace)));
    }

    /** The states whose steps a filter leaves, the first one always. */
    shown(filter: string): number[] {
        const words = wordsOf(filter);
        const shown = [this.first];
        for (let state = this.first + 1; state <= this.last; state++) {
            if (words.length === 0 || words.some(word => this.names(state).includes(word))) {
                shown.push(state);
            }
        }
        return shown;
    }

    /** The variables that a filter leaves, in a state. */
    variables(filter: string, changedIn: number | undefined): number[] {
        const words = wordsOf(filter);
        const all = this.trace.variables.keys();
        const changed = changedIn === undefined ? undefined : new Set(this.step(changedIn)?.changes?.map(one => one.variable));
        return [...all].filter(at => {
            const name = this.trace.variables[at]?.name.toLowerCase() ?? '';
            return (changed?.has(at) ?? true) && (words.length === 0 || words.some(word => name.includes(word)));
        });
    }

    /** Who takes the step that leads to a state. */
    who(state: number): string {
        return (this.step(state)?.by ?? []).map(part => this.trace.participants[part.participant]?.name ?? '').join(', ');
    }

    /** "taken: false → true", one for each value that the step changes; where instances go is left out. */
    changes(state: number): string[] {
        const step = this.step(state);
        const changes = (step?.changes ?? []).flatMap(change => {
            const variable = this.trace.variables[change.variable];
            return variable === undefined || variable.kind === 'location' ? [] : [`${variable.name}: ${change.before} → ${change.after}`];
        });
        return [...changes, ...(step?.besides ?? [])];
    }

    /** A sentence for who cannot see the page. */
    sentence(state: number): string {
        const step = this.step(state);
        if (step === undefined) {
            return state === 0 ? 'At the start' : `After step ${grouped(state)}`;
        }
        const cycle = this.isOnCycle(state) ? ', again and again' : '';
        return [`Step ${grouped(state)} of ${grouped(this.trace.length)}${cycle}: ${this.who(state)}, ${step.label}`, ...this.changes(state)].join('; ');
    }

    /** The names of who takes a step and of what it changes, in small letters. */
    private names(state: number): string {
        return (this.named[state - this.first] ??= [
            this.who(state),
            this.step(state)?.action ?? '',
            ...(this.step(state)?.changes ?? []).map(change => nameOf(this.trace.variables[change.variable])),
            ...(this.step(state)?.messages ?? []).map(message => this.trace.participants[message.channel]?.name ?? ''),
        ]
            .join('\n')
            .toLowerCase());
    }
}

function nameOf(variable: Variable | undefined): string {
    // Whoever asks for a process is given its steps by who takes them.
    return variable === undefined || variable.kind === 'location' ? '' : variable.name;
}

function wordsOf(filter: string): string[] {
    return filter.toLowerCase().split(/[\s,]+(?![^(]*\))/).filter(word => word !== '');
}

/** "invariant mutex"; what every model is asked has the name of its form. */
export function heading({ kind, property }: Trace): string {
    return kind === property ? property : `${kind} ${property}`;
}

/** Of so many who wait the sentence tells. */
const MOST_WAITS = 4;

/** What the run shows, in a sentence, and who waits for what where the sentence does not tell of all of them. */
export function waitsOf({ sentence, waits }: Trace): { sentence: string; folded: string[] } {
    const all = waits.map(wait => wait.sentence);
    // The sentence about a deadlock tells of the first ones by itself.
    const untold = all.filter(wait => !sentence.includes(wait));
    if (untold.length === 0) {
        return { sentence, folded: [] };
    }
    return all.length <= MOST_WAITS ? { sentence: [sentence, ...untold].join('; '), folded: [] } : { sentence, folded: all };
}

/** What an expression is in a state, of what it is from some states on. */
export function valueAt(values: readonly ValueFrom[], state: number): ValueFrom | undefined {
    return values[lastAtOrBefore(values.map(one => one.state), state)];
}

/** The place of the last number in an ascending list that is not more; -1 where all are. */
export function lastAtOrBefore(ascending: readonly number[], most: number): number {
    let low = 0;
    let high = ascending.length;
    while (low < high) {
        const middle = (low + high) >>> 1;
        if ((ascending[middle] ?? Infinity) <= most) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low - 1;
}
