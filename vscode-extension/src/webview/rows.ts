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
/** They are drawn after so many milliseconds, however busy the page is. */
const PATIENCE = 200;

/** Does it when nobody waits for the page; where the browser cannot tell that, a little later. */
function whenIdle(work: () => void): void {
    if ('requestIdleCallback' in window) {
        window.requestIdleCallback(work, { timeout: PATIENCE });
    } else {
        setTimeout(work, PATIENCE);
    }
}

/** Writes a text where another one stands: the page has work only with what changes. */
export function write(element: HTMLElement, text: string): void {
    if (element.textContent !== text) {
        element.textContent = text;
    }
}

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
    /** Whether those beyond what is seen are going to be drawn. */
    private isFilling = false;

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

    /** Draws the rows that are seen, and those beyond once the page has shown these. */
    private fill(): void {
        this.fillTo(0);
        if (!this.isFilling) {
            this.isFilling = true;
            whenIdle(() => {
                this.isFilling = false;
                this.fillTo(BEYOND);
                for (const row of this.spare) {
                    row.remove();
                }
            });
        }
    }

    private fillTo(beyond: number): void {
        const { canvas, height, draw } = this.options;
        const first = Math.max(0, Math.floor(this.top / height));
        const last = Math.min(this.count, Math.ceil((this.top + this.seen) / height));
        for (const [at, row] of this.drawn) {
            if (at < first - BEYOND || at >= Math.min(this.count, last + BEYOND)) {
                this.drawn.delete(at);
                this.spare.push(row);
                // The others are out of sight, and only move when they are used again.
                if (at >= this.count) {
                    row.remove();
                }
            }
        }
        for (let at = Math.max(0, first - beyond); at < Math.min(this.count, last + beyond); at++) {
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
    }
}
