// What the server tells of a run, and what the panel's page and the extension tell each other. `docs/requests.md`
// says what each part of the server's answer means.

/** Which run is shown. */
export interface Which {
    readonly uri: string;
    readonly property: string;
    readonly parameter?: { readonly name: string; readonly value: number };
}

export interface Position {
    readonly line: number;
    readonly character: number;
}

export interface Range {
    readonly start: Position;
    readonly end: Position;
}

export interface Participant {
    readonly name: string;
    readonly kind: 'process' | 'channel' | 'monitor';
    readonly moves: boolean;
}

export interface Variable {
    readonly name: string;
    readonly kind: 'shared' | 'channel' | 'local' | 'location';
    /** The participant that it belongs to. */
    readonly owner?: number;
    /** Before the first of the steps. */
    readonly value: string;
}

export interface Statement {
    /** Of the files; none where it has no place. */
    readonly file: number | null;
    readonly range: Range;
    readonly text: string;
}

export interface Change {
    readonly variable: number;
    readonly before: string;
    readonly after: string;
}

export interface Step {
    readonly by: readonly {
        readonly participant: number;
        readonly statement: number;
        readonly does: string;
        readonly outcome?: boolean;
    }[];
    readonly action?: string;
    readonly label: string;
    readonly changes?: readonly Change[];
    readonly messages?: readonly { readonly channel: number; readonly text: string; readonly sent: boolean }[];
    readonly besides?: readonly string[];
    readonly fails?: string;
}

export interface Trace {
    readonly property: string;
    readonly kind: string;
    readonly verdict: string;
    readonly expectedViolated: boolean;
    readonly sentence: string;
    /** Where the property's name stands. */
    readonly location: { readonly uri: string; readonly range: Range };
    readonly length: number;
    /** After so many steps the cycle begins, if there is one. */
    readonly cycleStart: number | null;
    /** So many steps are passed over. */
    readonly from: number;
    readonly files: readonly string[];
    readonly participants: readonly Participant[];
    readonly variables: readonly Variable[];
    readonly statements: readonly Statement[];
    readonly steps: readonly Step[];
    readonly waits: readonly { readonly sentence: string }[];
}

/** The state in which a run shows best what it shows: the last one, or the first one of its cycle. */
export function tellingOf(trace: Trace): number {
    return trace.cycleStart === null ? trace.length : trace.cycleStart + 1;
}

/** As `from`, for the last steps of a run: whoever asks for more than there is is given those. */
export const LAST = 2 ** 31 - 1;

/** The file that a panel is about, as a person knows it. */
export interface Named {
    readonly name: string;
    /** From the folder of the workspace on, or from the root. */
    readonly path: string;
}

/** What an expression is from a state on. */
export interface ValueFrom {
    readonly state: number;
    readonly value?: string;
    readonly fails?: string;
}

export const FORMS = ['text', 'json', 'mermaid', 'svg'] as const;
export type Form = (typeof FORMS)[number];

/** What the page keeps while it is hidden, and over a restart of the editor. */
export interface Place {
    readonly which: Which;
    /** How many steps are passed over. */
    readonly from?: number;
    readonly step?: number;
    readonly filter?: string;
    readonly variableFilter?: string;
    readonly onlyChanged?: boolean;
    readonly watches?: readonly string[];
}

export type ToPage =
    | {
          readonly type: 'trace';
          readonly which: Which;
          readonly file: Named;
          readonly trace: Trace;
          readonly isNew: boolean;
          /** Whether expressions are still what they were. */
          readonly isSame: boolean;
      }
    | { readonly type: 'none'; readonly which: Which; readonly file: Named; readonly message: string }
    /** The steps of the line that the cursor is in; `step` is the one to go to. */
    | { readonly type: 'line'; readonly steps: readonly number[]; readonly step: number | undefined }
    | {
          readonly type: 'values';
          readonly expression: string;
          readonly values?: readonly ValueFrom[];
          readonly message?: string;
      }
    | { readonly type: 'copied'; readonly form: Form };

export type ToExtension =
    | { readonly type: 'ready' }
    /** After how many steps the page shows the values. `reveal` where the person has gone there. */
    | { readonly type: 'at'; readonly step: number; readonly reveal: boolean }
    | { readonly type: 'evaluate'; readonly expression: string }
    /** Nobody wants to know any more what it is. */
    | { readonly type: 'leave'; readonly expression: string }
    | { readonly type: 'piece'; readonly from: number }
    | { readonly type: 'states' }
    | { readonly type: 'copy'; readonly form: Form };
