import { editorTest } from './session.mjs';

const hurried = { prepare: () => ({ 'stubborn.check.budget': 0.001 }) };

editorTest('what the time of a check was too short for is decided when the user asks for it', hurried, async ({ open }) => {
    const editor = await open();
    await editor.openFile('dials.stb');
    await editor.showProblems();
    // On a busy machine the time may be over before the first state.
    await editor.problems.filter({ hasText: /are undecided, bounded(:| after)/ }).waitFor();

    await editor.page.locator('.monaco-editor .view-line').first().click();
    await editor.command('Stubborn: Check This File Without a Time Limit');
    await editor.page.getByText('No problems have been detected').waitFor();
    await editor.hoverOver('invariant bounded', 'bounded', { hasText: 'bounded holds' });
});
