// A list of which only the rows are on the page that can be seen, so that it may have any number of them. All rows are
// equally high.

export interface RowsOptions {
    /** The element that scrolls. */
    readonly viewport: HTMLElement;
    /** Within it, the one that is as high as all rows together. */
    readonly canvas: HTMLElement;
    readonly height: number;
    /** Makes a row for the place `at`, or makes one of what was a row elsewhere. */
    readonly draw: (at: number, row: HTMLElement) => void;
}

/** So many rows are drawn beyond what is seen. */
const BEYOND = 8;

export class Rows {
    private count = 0;
    /** What stands on the page, by its place. */
    private readonly drawn = new Map<number, HTMLElement>();
    private readonly spare: HTMLElement[] = [];

    constructor(private readonly options: RowsOptions) {
        options.viewport.addEventListener('scroll', () => this.fill(), { passive: true });
        new ResizeObserver(() => this.fill()).observe(options.viewport);
    }

    /** Begins anew with so many rows. */
    reset(count: number): void {
        this.count = count;
        this.options.canvas.style.height = `${count * this.options.height}px`;
        this.redraw();
    }

    /** Draws what is seen once more. */
    redraw(): void {
        for (const [at, row] of this.drawn) {
            if (at >= this.count) {
                this.takeAway(at, row);
            } else {
                this.options.draw(at, row);
            }
        }
        this.fill();
    }

    /** Draws a row once more, if it is seen. */
    redrawRow(at: number): void {
        const row = this.drawn.get(at);
        if (row !== undefined) {
            this.options.draw(at, row);
        }
    }

    /** Scrolls as little as it takes to have a row in sight. */
    reveal(at: number): void {
        const { viewport, height } = this.options;
        const top = at * height;
        // What stands above the rows covers what is behind it.
        const room = viewport.clientHeight - this.options.canvas.offsetTop;
        if (top < viewport.scrollTop) {
            viewport.scrollTop = top;
        } else if (top + height > viewport.scrollTop + room) {
            viewport.scrollTop = top + height - room;
        }
        this.fill();
    }

    /** How many rows are seen at once. */
    get page(): number {
        return Math.max(1, Math.floor(this.options.viewport.clientHeight / this.options.height) - 1);
    }

    private fill(): void {
        const { viewport, canvas, height, draw } = this.options;
        const first = Math.max(0, Math.floor(viewport.scrollTop / height) - BEYOND);
        const last = Math.min(this.count, Math.ceil((viewport.scrollTop + viewport.clientHeight) / height) + BEYOND);
        for (const [at, row] of this.drawn) {
            if (at < first || at >= last) {
                this.takeAway(at, row);
            }
        }
        for (let at = first; at < last; at++) {
            if (!this.drawn.has(at)) {
                const row = this.spare.pop() ?? document.createElement('div');
                row.style.transform = `translateY(${at * height}px)`;
                draw(at, row);
                this.drawn.set(at, row);
                canvas.append(row);
            }
        }
    }

    private takeAway(at: number, row: HTMLElement): void {
        row.remove();
        this.drawn.delete(at);
        this.spare.push(row);
    }
}
