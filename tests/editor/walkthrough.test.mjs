import { editorTest, keepPicture } from './session.mjs';

/** Our first steps are in front, and nothing else is. */
async function firstSteps(editor) {
    const page = editor.page.locator('.gettingStartedContainer .gettingStartedDetailsContent, .gettingStartedContainer .gettingStartedSlideDetails');
    await editor.page.locator('.tabs-container .tab.active', { hasText: 'Stubborn' }).waitFor();
    await page.getByText('First steps with Stubborn').first().waitFor();
    await page.getByText('Open a model that has a mistake').first().waitFor();
}

/**
 * Calls the command, as soon as the editor knows it: its list of commands stays as it was when it was opened. And it goes
 * where a walkthrough takes the keyboard, which does so a while after it is seen.
 */
async function callFirstSteps(editor) {
    const { page } = editor;
    const input = page.locator('.quick-input-widget input').first();
    const row = page.locator('.quick-input-list .monaco-list-row', { hasText: 'Stubborn: First Steps' }).first();
    for (let left = 20; ; left--) {
        await page.keyboard.press('F1');
        try {
            await input.waitFor({ timeout: 2_000 });
            await page.keyboard.type('Stubborn: First Steps');
            await row.waitFor({ timeout: 2_000 });
            await row.click({ timeout: 2_000 });
            return;
        } catch (reason) {
            if (left === 0) {
                throw reason;
            }
            // Without the list the key would lead back from a walkthrough.
            if (await input.isVisible()) {
                await page.keyboard.press('Escape');
                await input.waitFor({ state: 'hidden' });
            }
        }
    }
}

for (const [startup, said] of [['none', 'nothing in sight'], ['welcomePage', 'the welcome page in sight']]) {
    editorTest(`with ${said} the command for the first steps opens them at the first call`, { user: { 'workbench.startupEditor': startup } }, async ({ open }) => {
        const editor = await open();
        if (startup === 'welcomePage') {
            await editor.page.locator('.gettingStartedContainer').waitFor();
        }
        await callFirstSteps(editor);
        await firstSteps(editor);
        await keepPicture(editor, `first-steps-${startup}`);
    });
}

editorTest('the first steps open beside a model, again when they were left, and in the place of another walkthrough', {}, async ({ open }) => {
    const editor = await open();
    await editor.openFile('lock.stb');
    await callFirstSteps(editor);
    await firstSteps(editor);
    const model = editor.page.getByRole('tab', { name: 'lock.stb' });
    await model.click();
    await editor.page.waitForSelector('.monaco-editor .view-line');
    await callFirstSteps(editor);
    await firstSteps(editor);

    await model.click();
    await editor.page.waitForSelector('.monaco-editor .view-line');
    const other = 'Get Started with VS Code';
    await editor.commandThatAsks('Welcome: Open Walkthrough...', { hasText: other });
    await editor.choose(other, other);
    await editor.page.locator('.gettingStartedDetailsContent').getByText('Choose your theme').first().waitFor();
    await callFirstSteps(editor);
    await firstSteps(editor);
});
