import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { COMMAND_KEYS, type CommandId } from './command-keys.ts';
import { COMMAND_IDS } from './command-words.ts';
import { availableCommands, type Handlers, useCommands } from './commands.ts';
import { setShortcuts } from './shortcuts.ts';

afterEach(() => {
  cleanup();
  setShortcuts(true);
});

const Part = ({ about, of }: { about?: string; of: Handlers }) => {
  useCommands(of, about);
  return (
    <>
      <input aria-label="Text" />
      <input type="checkbox" aria-label="Box" />
    </>
  );
};
const press = (key: string, init: KeyboardEventInit = {}, target: Element = document.body) =>
  fireEvent.keyDown(target, { key, ...init });

test('a key runs its command, with Shift the one with Shift, or else the same', () => {
  const [save, status, next] = [vi.fn(), vi.fn(), vi.fn()];
  render(<Part of={{ 'list.save': save, 'ping.status': status, 'list.next': next }} />);
  press('s');
  press('S', { shiftKey: true });
  press('J', { shiftKey: true });
  expect([status.mock.calls.length, save.mock.calls.length]).toEqual([1, 1]);
  expect(next.mock.calls[0]?.[0]).toMatchObject({ shiftKey: true });
});

test('G and another key go to a page, and the second key means nothing else', () => {
  const [stays, contact] = [vi.fn(), vi.fn()];
  render(<Part of={{ 'go.stays': stays, 'patient.contact': contact }} />);
  press('g');
  press('l');
  expect([stays.mock.calls.length, contact.mock.calls.length]).toEqual([1, 0]);
  press('l');
  expect(contact).toHaveBeenCalledTimes(1);
  press('g');
  press('e');
  press('l');
  expect([stays.mock.calls.length, contact.mock.calls.length]).toEqual([1, 2]);
});

test('keys are left to text fields, layers and users who turned them off; Ctrl K and Escape are not', () => {
  const [next, back, palette] = [vi.fn(), vi.fn(), vi.fn()];
  const { getByLabelText } = render(<Part of={{ 'list.next': next, 'list.back': back, 'app.palette': palette }} />);
  press('j', {}, getByLabelText('Text'));
  expect(next).not.toHaveBeenCalled();
  press('j', {}, getByLabelText('Box'));
  expect(next).toHaveBeenCalledTimes(1);
  press('Escape', {}, getByLabelText('Text'));
  expect(press('k', { ctrlKey: true }, getByLabelText('Text'))).toBe(false);
  setShortcuts(false);
  press('j');
  press('Escape');
  press('k', { metaKey: true });
  expect([next, back, palette].map(({ mock }) => mock.calls.length)).toEqual([1, 2, 2]);
  document.body.insertAdjacentHTML('beforeend', '<div role="menu"></div>');
  press('Escape');
  press('k', { ctrlKey: true });
  document.querySelector('[role=menu]')?.remove();
  expect([back, palette].map(({ mock }) => mock.calls.length)).toEqual([2, 2]);
});

test('what is typed after / is text, also before its field has the focus', () => {
  const [search, undo] = [vi.fn(), vi.fn()];
  render(<Part of={{ 'list.search': search, 'list.undo': undo }} />);
  press('/');
  for (const key of 'zapata') press(key);
  expect([search.mock.calls.length, undo.mock.calls.length]).toEqual([1, 0]);
  press('z', {}, screen.getByLabelText('Text'));
  press('z');
  expect(undo).toHaveBeenCalledTimes(1);
});

test('the newest part takes a key first, and keeps it if it wants', () => {
  const [older, newer] = [vi.fn(), vi.fn((event?: KeyboardEvent) => event?.preventDefault())];
  const { rerender } = render(<Part of={{ 'patient.story': older }} />);
  rerender(
    <>
      <Part of={{ 'patient.story': older }} />
      <Part of={{ 'ping.reason': newer }} />
    </>,
  );
  press('1');
  expect([older.mock.calls.length, newer.mock.calls.length]).toEqual([0, 1]);
});

test('the palette learns what can be done now, and about whom', () => {
  const [story, progress] = [vi.fn(), vi.fn()];
  const { unmount } = render(
    <Part about="DOE, Jan" of={{ 'ping.story': story, 'ping.progress': progress, 'ping.dismiss': null }} />,
  );
  const available = availableCommands();
  expect([...available.keys()]).toEqual(['ping.story', 'ping.progress']);
  available.get('ping.progress')?.run();
  expect(progress).toHaveBeenCalledTimes(1);
  expect(available.get('ping.story')?.about).toBe('DOE, Jan');
  unmount();
  expect(availableCommands().size).toBe(0);
});

const web = join(import.meta.dirname, '..');
const sources = readdirSync(web, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !/\.test\.|ui\/command/.test(name))
  .map((name) => [name, readFileSync(join(web, name), 'utf8')] as const);

test('every command of the sheet is bound by some page, and no page listens to single keys by itself', () => {
  const isBound = (id: CommandId): boolean => sources.some(([, text]) => text.includes(`'${id}'`));
  expect(COMMAND_IDS.filter((id) => !isBound(id))).toEqual([]);
  const listening = sources.filter(([, text]) => /addEventListener\('key/.test(text)).map(([name]) => name);
  expect(listening).toEqual([]);
});

test('no two commands that a page can have at once share a key', () => {
  const together = (prefixes: string[]): string[] =>
    COMMAND_IDS.filter((id) => prefixes.some((prefix) => id.startsWith(prefix))).flatMap((id) => COMMAND_KEYS[id]);
  for (const page of [
    ['app.', 'go.', 'list.', 'ping.', 'patient.contact', 'patient.tags'],
    ['app.', 'go.', 'list.', 'patient.'],
    ['app.', 'go.', 'list.', 'stays.'],
  ]) {
    const keys = together(page);
    expect(keys).toEqual([...new Set(keys)]);
  }
});
