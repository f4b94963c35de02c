// What the server tells of a picture, and what the picture's page and the extension tell each other. `docs/requests.md`
// says what each part of the server's answer means.

import type { Named, Position, Range } from '../panel/protocol';

/** What is drawn: a process, or without one the states of the model; and the run of a property in it. */
export interface What {
    readonly uri: string;
    readonly process?: string;
    /** Or the place in the text around which the process is. */
    readonly position?: Position;
    readonly property?: string;
    readonly parameter?: { readonly name: string; readonly value: number };
}

export interface Place {
    readonly file: number;
    readonly range: Range;
}

export type Mark = 'initial' | 'final' | 'terminal' | 'failure' | 'violation';

export interface PictureNode {
    readonly label: string;
    readonly values?: readonly string[];
    readonly place?: Place;
    readonly marks: readonly Mark[];
    readonly run?: readonly number[];
}

export interface PictureEdge {
    readonly from: number;
    readonly to: number;
    readonly labels: readonly string[];
    readonly place?: Place;
    readonly run?: readonly number[];
}

/** The states that are so many steps from the start. */
export interface Level {
    readonly states: number;
    readonly edges: number;
    readonly marks?: readonly Mark[];
}

/** A search for properties: how many states it found so many steps from the start. */
export interface Search {
    readonly properties: readonly string[];
    readonly sentence: string;
    readonly levels: readonly number[];
}

export interface Picture {
    readonly kind: 'process' | 'states' | 'levels';
    readonly title: string;
    readonly sentence: string;
    readonly property: string | null;
    readonly whyNoRun: string | null;
    readonly processes: readonly string[];
    /** How many more there are. */
    readonly processesLeftOut: number;
    readonly files: readonly string[];
    readonly variables: readonly string[];
    readonly nodes: readonly PictureNode[];
    readonly edges: readonly PictureEdge[];
    readonly levels: readonly Level[];
    readonly searches: readonly Search[];
    /** How many more there are. */
    readonly searchesLeftOut: number;
    readonly growth: readonly { readonly text: string; readonly place: Place | null; readonly states: number }[];
    readonly complete: boolean;
}

export type ToPage =
    | { readonly type: 'picture'; readonly what: What; readonly file: Named; readonly picture: Picture }
    | { readonly type: 'none'; readonly what: What; readonly file: Named; readonly message: string }
    | { readonly type: 'busy' }
    | { readonly type: 'copied'; readonly form: 'DOT' | 'SVG' };

export type ToExtension =
    | { readonly type: 'ready' }
    | { readonly type: 'draw'; readonly process: string | undefined }
    | { readonly type: 'reveal'; readonly place: Place }
    | { readonly type: 'copyDot' }
    | { readonly type: 'copySvg'; readonly text: string };
