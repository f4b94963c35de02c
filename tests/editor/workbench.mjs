// The workbench as a person sees and uses it: by keyboard and mouse, through what is on the page.
// Whatever is waited for is waited for until it is there; nothing sleeps.

import { chromium } from 'playwright-core';

/** Generous, because the machine may be busy; a test that passes never waits this long. */
const PATIENCE = 60_000;

/** Opens a `folder`, or a `workspace` file, or an empty window. */
export async function openWorkbench(url, { folder, workspace }) {
    const browser = await chromium.launch({
        executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
        args: [
            '--no-sandbox',
            '--disable-gpu',
            '--disable-quic',
            '--no-first-run',
            '--disable-background-networking',
            '--disable-component-update',
            '--disable-sync',
        ],
    });
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    page.setDefaultTimeout(PATIENCE);
    const what = folder !== undefined ? `folder=${encodeURIComponent(folder)}` : `workspace=${encodeURIComponent(workspace)}`;
    const isEmpty = folder === undefined && workspace === undefined;
    await page.goto(`${url}/?${isEmpty ? 'ew=true' : what}`);
    await page.waitForSelector('.monaco-workbench .part.editor');
    if (!isEmpty) {
        await page.waitForSelector('.explorer-folders-view .monaco-list-row');
    }
    return new Workbench(page, () => browser.close());
}

class Workbench {
    constructor(page, close) {
        this.page = page;
        this.close = close;
        this.squiggles = page.locator('.monaco-editor .squiggly-error');
        this.problems = page.locator('.markers-panel .monaco-list-row:has(.marker-message-details-container, .marker-message-line)');
        this.hover = page.locator('.monaco-hover:not(.hidden) .hover-contents');
        this.notifications = page.locator('.notification-list-item-message');
    }

    async openFile(name) {
        await this.page.keyboard.press('Control+P');
        await this.choose(name, name);
        await this.page.waitForSelector(`.tabs-container .tab.active[data-resource-name="${name}"]`);
        await this.page.waitForSelector('.monaco-editor .view-line');
    }

    async command(title) {
        await this.page.keyboard.press('F1');
        await this.choose(title, title);
    }

    /** Begins a command that asks for something, in the place of the list of commands, which is not seen to go. */
    async commandThatAsks(title, asked) {
        await this.page.keyboard.press('F1');
        await this.page.waitForSelector('.quick-input-widget input', { state: 'visible' });
        await this.page.keyboard.type(title);
        await this.page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first().waitFor();
        await this.page.keyboard.press('Enter');
        await this.page.locator('.quick-input-widget').filter(asked).waitFor();
        // What is typed before goes to the text below.
        await this.page.waitForSelector('.quick-input-widget input:focus');
    }

    async choose(text, row) {
        await this.page.waitForSelector('.quick-input-widget input:focus');
        await this.page.keyboard.type(text);
        // The one that is taken, and not just any: what was opened last is among them before what is typed counts.
        await this.page.locator('.quick-input-list .monaco-list-row.focused', { hasText: row }).first().waitFor();
        await this.page.keyboard.press('Enter');
        await this.page.waitForSelector('.quick-input-widget', { state: 'hidden' });
    }

    async hideSideBar() {
        await this.page.keyboard.press('Control+B');
        await this.page.waitForSelector('.part.sidebar', { state: 'hidden' });
    }

    async showProblems() {
        await this.page.keyboard.press('Control+Shift+M');
        await this.page.waitForSelector('.markers-panel');
    }

    /** Drags the upper edge of the panel to where it leaves the editor the most room. */
    async shrinkPanel() {
        const panel = await this.page.locator('.part.panel').boundingBox();
        await this.page.mouse.move(panel.x + panel.width / 2, panel.y);
        await this.page.mouse.down();
        await this.page.mouse.move(panel.x + panel.width / 2, panel.y + panel.height - 84, { steps: 5 });
        await this.page.mouse.up();
    }

    /** Puts the caret behind `text`, in the first line that begins with `line`. */
    async clickBehind(line, text) {
        const isThere = async () => {
            const { x, y, width, height } = await this.placeOf(line, text);
            const caret = await this.page.locator('.monaco-editor.focused .cursor').first().boundingBox();
            return caret !== null && Math.abs(caret.x - x - width) < 3 && Math.abs(caret.y - y) < height / 2;
        };
        // A lens or a hint that comes meanwhile moves the line from below the mouse.
        for (let left = 20; left > 0; left--) {
            const { x, y, width, height } = await this.placeOf(line, text);
            await this.page.mouse.click(x + width, y + height / 2);
            await this.page.waitForSelector('.monaco-editor.focused');
            if (await isThere()) {
                return;
            }
        }
        throw new Error(`the caret does not come to stand behind ${text}, in the line that begins with ${line}: is it in sight?`);
    }

    /** Clicks a part of the line over a property, until there is what that leads to. */
    async clickLens(line, part, there) {
        const lens = this.page.locator('.codelens-decoration').filter({ hasText: line });
        // The line is written anew when more is known, and a click on it is lost that falls into that.
        for (let left = 5; ; left--) {
            await lens.getByText(part).click();
            try {
                await there.first().waitFor({ timeout: left === 0 ? PATIENCE : 15_000 });
                return;
            } catch (reason) {
                if (left === 0) {
                    throw reason;
                }
            }
        }
    }

    /** Asks what may be written at the caret, until that is among it. */
    async suggest(offered) {
        const row = this.page.locator('.suggest-widget.visible .monaco-list-row').filter({ hasText: offered }).first();
        // The editor reads snippets and words when they are asked for first, and may have none to offer yet.
        for (let left = 5; ; left--) {
            await this.page.keyboard.press('Control+Space');
            try {
                await row.waitFor({ timeout: left === 0 ? PATIENCE : 10_000 });
                return;
            } catch (reason) {
                if (left === 0) {
                    throw reason;
                }
                await this.page.keyboard.press('Escape');
            }
        }
    }

    /** Takes what is offered with these words: a word of the text may be offered beside a snippet of that name. */
    async takeSuggestion(words) {
        await this.suggest(words);
        await this.page.locator('.suggest-widget.visible .monaco-list-row').filter({ hasText: words }).first().click();
    }

    /** Saves what was typed. */
    async save() {
        await this.page.waitForSelector('.tabs-container .tab.active.dirty');
        await this.page.keyboard.press('Control+S');
        await this.page.waitForSelector('.tabs-container .tab.active:not(.dirty)');
    }

    /** The place on the page of `text`, in the first line of the editor that begins with `line`. */
    async placeOf(line, text) {
        return this.page.evaluate(
            ([line, text]) => {
                // Monaco writes spaces as no-break spaces.
                const content = element => element.textContent.replace(/\u00a0/g, ' ');
                const element = [...document.querySelectorAll('.monaco-editor .view-line')].find(found =>
                    content(found).trimStart().startsWith(line),
                );
                const start = element === undefined ? -1 : content(element).indexOf(text);
                if (start < 0) {
                    throw new Error(`the editor shows no line that begins with: ${line}, and has: ${text}`);
                }
                // Each token of the line is a text node of its own.
                const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
                const range = document.createRange();
                for (let before = 0; nodes.nextNode(); before += nodes.currentNode.length) {
                    const node = nodes.currentNode;
                    const within = offset => offset >= before && offset <= before + node.length;
                    if (within(start)) {
                        range.setStart(node, start - before);
                    }
                    if (within(start + text.length)) {
                        range.setEnd(node, start + text.length - before);
                        break;
                    }
                }
                const { x, y, width, height } = range.getBoundingClientRect();
                return { x, y, width, height };
            },
            [line, text],
        );
    }

    /** Rests the mouse on `text`, and waits for a hover that has what Playwright's filter `expected` says. */
    async hoverOver(line, text, expected) {
        const hover = this.hover.filter(expected).first();
        // A lens or a hint that comes meanwhile moves the line from below the mouse, which then rests on another.
        for (let left = 10; ; left--) {
            const { x, y, width, height } = await this.placeOf(line, text);
            await this.page.mouse.move(x + width / 2, y + height / 2);
            try {
                await hover.waitFor({ timeout: 6_000 });
                return hover;
            } catch (reason) {
                if (left === 1) {
                    throw reason;
                }
                await this.page.mouse.move(2, 2);
            }
        }
    }

    /** Drags the lower edge of the hover that the mouse has called up as far down as the editor goes. */
    async enlargeHover() {
        const { x, y, height } = await this.page.locator('.monaco-resizable-hover').last().boundingBox();
        const editor = await this.page.locator('.part.editor').boundingBox();
        // Straight down and in small steps: the hover closes when the mouse seems to leave for elsewhere.
        const edge = y + height - 1;
        const bottom = editor.y + editor.height - 4;
        await this.page.mouse.move(x + 20, y + 20);
        await this.page.mouse.move(x + 20, edge, { steps: 20 });
        await this.page.mouse.down();
        await this.page.mouse.move(x + 20, bottom, { steps: Math.ceil(Math.abs(bottom - edge)) });
        await this.page.mouse.up();
        await this.page.mouse.move(x + 20, y + 20, { steps: 20 });
    }

    /** Takes the mouse off the text, and waits for the hover to go. */
    async leaveText() {
        await this.page.mouse.move(2, 2);
        await this.hover.first().waitFor({ state: 'hidden' });
    }

    /** Waits until so many lines have this mark. */
    async waitForMarks(name, count) {
        await this.page.waitForFunction(
            ([name, count]) => {
                const all = document.querySelectorAll('.monaco-editor .cgmr');
                const found = [...all].filter(one => decodeURIComponent(getComputedStyle(one).backgroundImage).includes(`/gutter/${name}.svg`));
                return new Set(found.map(one => one.getBoundingClientRect().top)).size === count;
            },
            [name, count],
        );
    }

    /** The line at the window's foot that says how the checks are. */
    get status() {
        return this.page.locator('.statusbar-item[id="stubborn.stubborn.stubborn.status"] a');
    }

    /** A test in the list of tests, by what its row says. */
    test(name) {
        return this.page.locator('.test-explorer .monaco-list-row').filter({ hasText: name });
    }

    async showTests() {
        await this.command('Testing: Focus on Test Explorer View');
        await this.page.waitForSelector('.test-explorer .monaco-list-row');
    }

    async expandTest(name) {
        const open = this.page.locator('.test-explorer .monaco-list-row[aria-expanded="true"]').filter({ hasText: name }).first();
        // A click is lost on a row that is drawn anew, as when a result comes.
        for (let left = 9; (await open.count()) === 0; left--) {
            try {
                await this.test(name).first().locator('.monaco-tl-twistie').click({ timeout: left === 0 ? PATIENCE : 3_000 });
                await open.waitFor({ timeout: left === 0 ? PATIENCE : 3_000 });
            } catch (reason) {
                if (left === 0) {
                    throw reason;
                }
            }
        }
        await this.page.waitForFunction(name => {
            const rows = [...document.querySelectorAll('.test-explorer .monaco-list-row')];
            const level = row => Number(row.getAttribute('aria-level'));
            const behind = row => rows.find(one => Number(one.dataset.index) === Number(row.dataset.index) + 1);
            const row = rows.find(one => one.textContent.includes(name) && one.getAttribute('aria-expanded') === 'true');
            return row !== undefined && behind(row) !== undefined && level(behind(row)) > level(row);
        }, name);
    }

    /** How the list of tests says that one of them stands: "Failed", "Passed", "Not yet run". */
    async testState(name) {
        return (await this.test(name).first().getAttribute('aria-label')) ?? '';
    }

    async waitForTestState(name, state) {
        await this.page.waitForFunction(
            ([name, state]) =>
                [...document.querySelectorAll('.test-explorer .monaco-list-row')].some(
                    row => row.textContent.includes(name) && new RegExp(state).test(row.getAttribute('aria-label')),
                ),
            [name, state.source],
        );
    }

    /** Runs a test with the button of its row, and waits for what comes of it. */
    async runTest(name) {
        const row = this.test(name).first();
        // Rows move while results come in, so that the mouse is over another one, whose tooltip is in the way; and
        // only the one under the mouse has its buttons.
        for (let last = 9; ; last--) {
            await this.page.mouse.move(900, 600);
            try {
                await row.hover({ timeout: 2_000 });
                await row.locator('.codicon-testing-run-icon').first().click({ timeout: 2_000 });
                break;
            } catch (reason) {
                if (last === 0) {
                    throw reason;
                }
            }
        }
        await this.waitForTestState(name, /Failed|Passed|Errored/);
    }

    /** Runs a test as another of the ways to run it says, which its menu offers. */
    async runTestUsing(name, way) {
        await this.test(name).first().click({ button: 'right' });
        const item = this.page.getByRole('menuitem', { name: 'Execute Using Profile...' });
        const box = this.page.locator('.quick-input-widget input').first();
        // A menu takes no click in the moment in which it opens. Where it has taken one the box may still be to come.
        for (let left = 5; ; left--) {
            await item.or(box).first().waitFor();
            if (await item.isVisible()) {
                await item.click({ timeout: 3_000 }).catch(() => undefined);
            }
            try {
                await box.waitFor({ timeout: left === 0 ? PATIENCE : 3_000 });
                break;
            } catch (reason) {
                if (left === 0) {
                    throw reason;
                }
            }
        }
        await this.choose(way, way);
    }

    /** Closes the tab of that title with its button. */
    async closeTab(title) {
        const tab = this.page.getByRole('tab', { name: title });
        await tab.hover();
        await tab.locator('.codicon-close').first().click();
        await tab.waitFor({ state: 'detached' });
    }

    /** Has dark colours, or light ones again. */
    async toggleColours(dark) {
        await this.command('Preferences: Toggle between Light/Dark Themes');
        await this.page.waitForSelector(`.monaco-workbench.${dark ? 'vs-dark' : 'vs'}`);
    }

    /** The language of the file in sight, at the window's foot. */
    language(name) {
        return this.page.locator('.statusbar-item[id="status.editor.mode"]').filter({ hasText: name });
    }

    async trustWorkspace() {
        await this.command('Workspaces: Manage Workspace Trust');
        await this.page.locator('.workspace-trust-editor').getByRole('button', { name: 'Trust', exact: true }).click();
    }

    /** What was on the page, for a person who reads of a failure. */
    async describe() {
        const list = async locator => (await locator.allInnerTexts()).map(text => `  ${text.replace(/\s+/g, ' ')}`).join('\n');
        return [
            `squiggles: ${await this.squiggles.count()}`,
            `problems:\n${await list(this.problems)}`,
            `hovers:\n${await list(this.hover)}`,
            `notifications:\n${await list(this.notifications)}`,
            `page:\n${await this.page.locator('body').innerText()}`,
        ].join('\n');
    }
}
