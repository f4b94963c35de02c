import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { editorTest, keepPicture } from './session.mjs';

/** What the debug view shows of variables, each without white space: "free=true". */
class Debugger {
    constructor(editor) {
        this.page = editor.page;
    }

    async shown() {
        const rows = await this.page.locator('.debug-viewlet .debug-variables .monaco-list-row').allTextContents();
        return rows.map(row => row.replace(/\s+/g, ''));
    }

    /** Waits until a variable of a scope is seen, "free=true". */
    async until(variable, scope) {
        await this.untilIs(scope, shown => shown === variable, variable);
    }

    /** Waits until a row is seen that is so, in a scope which a step may close again. */
    async untilIs(scope, isSo, wanted) {
        for (const end = Date.now() + 60_000; ; ) {
            await this.open(scope);
            const shown = await this.shown();
            if (shown.some(isSo)) {
                return;
            }
            assert.ok(Date.now() < end, `${wanted} is not among ${shown}`);
            await this.page.waitForFunction(() => new Promise(done => requestAnimationFrame(() => done(true))));
        }
    }

    /** Opens a scope. A click is lost that falls into a change of the list, which comes after each step. */
    async open(scope) {
        const row = this.page.locator('.debug-viewlet .debug-variables .monaco-list-row').filter({ hasText: scope }).first();
        await row.waitFor();
        const isOpen = await row.getAttribute('aria-expanded', { timeout: 2_000 }).catch(() => undefined);
        if (isOpen === 'false') {
            await row.locator('.monaco-tl-twistie').click({ timeout: 2_000 }).catch(() => undefined);
        }
    }

    async press(button) {
        await this.page.locator(`.debug-toolbar .codicon-debug-${button}`).click();
    }
}

editorTest('a run that violates a property is stepped through, forwards and back', {}, async ({ open }) => {
    const editor = await open();
    await editor.openFile('lock.stb');
    await editor.clickLens('mutex: ✗ violated after 4 steps', 'step through it', editor.page.locator('.debug-toolbar'));
    await editor.page.keyboard.press('Control+Shift+D');
    const debug = new Debugger(editor);
    await debug.until('taken=false', 'Shared');
    for (const step of [1, 2, 3]) {
        await debug.press('step-into');
        // A click is lost that falls into the step before.
        await editor.page.locator('.debug-call-stack').getByText(`after step ${step} of 4`).waitFor();
    }
    await debug.until('taken=true(wasfalse)', 'Shared');
    await debug.until('mutex=true', 'Properties');
    await debug.press('continue');
    // Off the button, whose tooltip would lie on the text.
    await editor.page.mouse.move(900, 700);
    await debug.until('mutex=false(wastrue)', 'Properties');
    await editor.page.locator('.workbench-hover-container').waitFor({ state: 'hidden' });
    await keepPicture(editor, 'debugging-light');
    await debug.press('step-back');
    await debug.until('mutex=true', 'Properties');
    await debug.press('restart');
    await debug.until('taken=false', 'Shared');
    await debug.press('stop');
    await editor.page.waitForSelector('.debug-toolbar', { state: 'hidden' });
});

editorTest('a model that is in no file yet is saved first, and then stepped through', {}, async ({ server, open }) => {
    const editor = await open();
    await editor.openFile('lock.stb');
    await editor.squiggles.first().waitFor();
    await editor.command('Stubborn: Open a Model to Break and to Mend');
    const dialog = editor.page.locator('.monaco-dialog-box').filter({ hasText: 'The model is not in a file yet.' });
    await editor.page.waitForSelector('.tab.active[data-resource-name="first-steps.stb"]');
    const stepThrough = () => editor.clickLens('mutex: ✗ violated after 4 steps', 'step through it', dialog);
    await stepThrough();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(existsSync(join(server.folder, 'first-steps.stb')), false);

    await stepThrough();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await editor.page.waitForSelector('.debug-toolbar');
    assert.equal(existsSync(join(server.folder, 'first-steps.stb')), true);
    await editor.page.keyboard.press('Control+Shift+D');
    const debug = new Debugger(editor);
    await debug.until('taken=false', 'Shared');
    await debug.press('stop');
    await editor.page.waitForSelector('.debug-toolbar', { state: 'hidden' });
});

editorTest('the steps of a simulation are picked', {}, async ({ open }) => {
    const editor = await open();
    await editor.openFile('lock.stb');
    const seed = { has: editor.page.locator('input[placeholder="A seed, or nothing"]') };
    await editor.commandThatAsks('Stubborn: Simulate This Model', seed);
    await seed.has.fill('x');
    await editor.page.getByText('A seed is a whole number').waitFor();
    await seed.has.fill('7');
    await seed.has.press('Enter');
    await editor.page.waitForSelector('.debug-toolbar');
    await editor.page.keyboard.press('Control+Shift+D');
    const debug = new Debugger(editor);
    await debug.until('taken=false', 'Shared');
    const steps = { has: editor.page.locator('input[placeholder="Which step is taken next?"]') };
    await editor.commandThatAsks('Pick the Next Step of the Simulation', steps);
    await editor.choose('worker(1)', 'worker(1)');
    await editor.page.locator('.repl .monaco-list-row').filter({ hasText: '1: worker(1)' }).first().waitFor();
    await debug.untilIs('Enabled steps', shown => shown.includes('worker(0)'), 'a step of worker(0)');
    await keepPicture(editor, 'simulation-light');
});
