// What the server says beyond the Language Server Protocol, as `docs/requests.md` tells it.

import type { Range, RequestType as Request } from 'vscode-languageclient';
import { NotificationType, RequestType } from 'vscode-languageclient';

/** How a property stands; `stale` with a verdict of the text before it is outdated. */
export type State = 'holds' | 'violated' | 'undecided' | 'running' | 'waiting' | 'stale';

export interface PropertyStanding {
    /** With the values of its parameters. */
    readonly name: string;
    /** Without them. */
    readonly base: string;
    readonly kind: string;
    readonly uri: string;
    readonly range: Range;
    readonly state: State;
    readonly before: State | null;
    /** Whether the verdict is the one that the text expects. */
    readonly right: boolean | null;
    readonly told: string;
    readonly why: string | null;
    readonly hasRun: boolean;
    readonly states: number;
    readonly seconds: number;
    /** Of the seconds of its search those that no other property has; none without a verdict. */
    readonly took: number;
}

export interface ParameterStanding {
    readonly name: string;
    readonly from: number;
    readonly to: number;
    readonly value: number;
}

export interface FileStanding {
    readonly uri: string;
    /** None of a tester file of the workspace that is not open. */
    readonly version: number | null;
    readonly problem: string | null;
    readonly properties: readonly PropertyStanding[];
    readonly parameters: readonly ParameterStanding[];
}

export interface Checking {
    readonly uri: string;
    readonly name: string;
    readonly open: number;
    readonly states: number;
    readonly statesPerSecond: number;
    readonly seconds: number;
    readonly unlimited: boolean;
    readonly waits: boolean;
}

interface TextDocument {
    readonly uri: string;
}

export const standingNotification = new NotificationType<FileStanding>('stubborn/standing');
export const checkingNotification = new NotificationType<{ readonly searches: readonly Checking[] }>('stubborn/checking');

export const checkRequest: Request<
    { textDocument: TextDocument; properties: string[]; unlimited: boolean },
    { properties: PropertyStanding[] },
    void
> = new RequestType('stubborn/check');

export const explanationRequest: Request<
    { textDocument: TextDocument; property: string },
    { markdown: string } | null,
    void
> = new RequestType('stubborn/explanation');

export const traceTextRequest: Request<
    { textDocument: TextDocument; property: string; form: 'text' },
    { text?: string; message?: string },
    void
> = new RequestType('stubborn/traceText');
