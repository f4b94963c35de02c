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
    /** How far it is scrolled, and how much is seen: to ask the page for it lays out all that was changed before. */
    private top = 0;
    private seen = 0;
    /** What stands above the rows, and covers what is behind it. */
    private above = 0;

    constructor(private readonly options: RowsOptions) {
        const { viewport, canvas } = options;
        viewport.addEventListener(
            'scroll',
            () => {
                this.top = viewport.scrollTop;
                this.fill();
            },
            { passive: true },
        );
        const observer = new ResizeObserver(() => {
            this.measure();
            this.fill();
        });
        observer.observe(viewport);
        observer.observe(canvas);
    }

    /** Asks the page where everything is, which lays it out. */
    measure(): void {
        const { viewport, canvas } = this.options;
        this.top = viewport.scrollTop;
        this.seen = viewport.clientHeight;
        this.above = canvas.offsetTop;
    }

    /** Begins anew with so many rows. */
    reset(count: number): void {
        if (count !== this.count) {
            this.count = count;
            this.options.canvas.style.height = `${count * this.options.height}px`;
            this.measure();
        }
        this.redraw();
    }

    /** Draws what is seen once more. */
    redraw(): void {
        for (const [at, row] of this.drawn) {
            if (at < this.count) {
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
        const room = this.seen - this.above;
        const wanted = top < this.top ? top : Math.max(this.top, top + height - room);
        if (wanted !== this.top) {
            viewport.scrollTop = wanted;
            this.top = viewport.scrollTop;
            this.fill();
        }
    }

    /** How many rows are seen at once. */
    get page(): number {
        return Math.max(1, Math.floor(this.seen / this.options.height) - 1);
    }

    private fill(): void {
        const { canvas, height, draw } = this.options;
        const first = Math.max(0, Math.floor(this.top / height) - BEYOND);
        const last = Math.min(this.count, Math.ceil((this.top + this.seen) / height) + BEYOND);
        for (const [at, row] of this.drawn) {
            if (at < first || at >= last) {
                this.drawn.delete(at);
                this.spare.push(row);
            }
        }
        for (let at = first; at < last; at++) {
            if (!this.drawn.has(at)) {
                const row = this.spare.pop() ?? document.createElement('div');
                row.style.transform = `translateY(${at * height}px)`;
                draw(at, row);
                this.drawn.set(at, row);
                // One that was elsewhere is on the page already, and only moves.
                if (!row.isConnected) {
                    canvas.append(row);
                }
            }
        }
        for (const row of this.spare) {
            row.remove();
        }
    }
}
