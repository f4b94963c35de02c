// The line at the foot of the window: what is being checked, or how the file in sight stands.

import * as vscode from 'vscode';
import { markOfAll, summary, type Mark } from './marks';
import { grouped, short } from './numbers';
import type { Checking, FileStanding } from './protocol';

const ICONS: Record<Mark, string> = {
    violated: 'error',
    undecided: 'question',
    checking: 'loading~spin',
    outdated: 'history',
    unchecked: 'circle-outline',
    holds: 'pass',
};

export class Status implements vscode.Disposable {
    private readonly item = vscode.window.createStatusBarItem('stubborn.status', vscode.StatusBarAlignment.Left, 5);

    constructor() {
        this.item.name = 'Stubborn';
    }

    /** `file` is the one in sight, if it is a model that something is known of. */
    draw(searches: readonly Checking[], file: FileStanding | undefined): void {
        const first = searches.find(search => !search.waits) ?? searches[0];
        if (first !== undefined) {
            this.drawSearch(first, searches);
            return;
        }
        if (file === undefined) {
            this.item.hide();
            return;
        }
        const mark = markOfAll(file.properties) ?? 'unchecked';
        const told = file.problem === null ? summary(file.properties) || 'no properties' : 'the text has a mistake';
        this.item.text = `$(${file.problem === null ? ICONS[mark] : 'warning'}) ${told}`;
        this.item.tooltip = tooltip(
            file.problem ?? file.properties.map(one => `${one.name}: ${one.told}`).join('\n\n'),
            ['stubborn.checkNow', 'Check now'],
            ['stubborn.checkFile', 'Check without a time limit'],
        );
        this.item.command = { command: 'stubborn.actions', title: 'What can be done' };
        this.item.accessibilityInformation = { label: `Stubborn: ${told}` };
        this.item.show();
    }

    private drawSearch(first: Checking, searches: readonly Checking[]): void {
        const more = searches.length > 1 ? `, ${searches.length - 1} more` : '';
        const figures = first.waits
            ? 'waits for its turn'
            : first.states === 0
              ? 'is being checked'
              : `${short(first.states)} states, ${short(first.statesPerSecond)}/s`;
        this.item.text = `$(loading~spin) ${first.name}: ${figures}${more} $(debug-stop)`;
        const line = (search: Checking) =>
            `**${search.name}**: ${search.open} ${search.open === 1 ? 'property' : 'properties'} open, ` +
            `${grouped(search.states)} states, ${grouped(search.statesPerSecond)} a second, ${search.seconds.toFixed(0)} s` +
            `${search.unlimited ? ', without a time limit' : ''}${search.waits ? '; waits for its turn' : ''}`;
        this.item.tooltip = tooltip(searches.map(line).join('\n\n'), ['stubborn.cancel', 'Stop checking']);
        this.item.command = { command: 'stubborn.cancel', title: 'Stop checking' };
        this.item.accessibilityInformation = { label: `Stubborn is checking ${first.name}, ${figures}. Press to stop.` };
        this.item.show();
    }

    dispose(): void {
        this.item.dispose();
    }
}

function tooltip(text: string, ...commands: [string, string][]): vscode.MarkdownString {
    const links = commands.map(([command, title]) => `[${title}](command:${command})`);
    const tooltip = new vscode.MarkdownString(`${text}\n\n${links.join(' · ')}`);
    tooltip.isTrusted = { enabledCommands: commands.map(([command]) => command) };
    return tooltip;
}
