// What expressions are along a trace: each is asked for once as long as neither the trace nor a text changes, and nobody
// goes on with one that is not wanted any more. Knows no editor, so that it can be tested without one.

import type { ValueFrom } from './protocol';

export interface Evaluated {
    readonly values?: readonly ValueFrom[];
    readonly message?: string;
}

interface Asked {
    readonly answer: Promise<Evaluated | undefined>;
    readonly taking: AbortController;
}

export class Evaluations {
    private readonly asked = new Map<string, Asked>();
    /** What the answers are about. */
    private about: string | undefined;

    /** Asks for an expression, until the signal says that nobody wants to know. */
    constructor(private readonly ask: (expression: string, signal: AbortSignal) => Promise<Evaluated | undefined>) {}

    /** From now on it is about this: what is known of anything else is forgotten. Whether it was about this before. */
    turnTo(about: string): boolean {
        if (this.about === about) {
            return true;
        }
        this.forget();
        this.about = about;
        return false;
    }

    /** What an expression is; nothing where that is not wanted any more. */
    async of(expression: string): Promise<Evaluated | undefined> {
        const known = this.asked.get(expression) ?? this.begin(expression);
        const answer = await known.answer;
        if (this.asked.get(expression) !== known) {
            return undefined;
        }
        if (answer === undefined) {
            // It may be known when it is asked for once more.
            this.asked.delete(expression);
        }
        return answer;
    }

    /** Nobody wants to know what an expression is. */
    leave(expression: string): void {
        this.asked.get(expression)?.taking.abort();
        this.asked.delete(expression);
    }

    /** Nobody wants to know anything that was asked. */
    forget(): void {
        for (const { taking } of this.asked.values()) {
            taking.abort();
        }
        this.asked.clear();
        this.about = undefined;
    }

    private begin(expression: string): Asked {
        const taking = new AbortController();
        const begun = { answer: this.ask(expression, taking.signal), taking };
        this.asked.set(expression, begun);
        return begun;
    }
}
