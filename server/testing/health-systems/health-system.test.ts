import { expect, test } from 'vitest';
import { makeHealthSystem } from './health-system.ts';
import { STORIES } from './stories.ts';

const systems = Array.from({ length: 150 }, (_, index) => makeHealthSystem(`system-${index + 1}`));

const triggersOf = (messages: readonly string[]): string[] =>
  messages.map((message) => /\|ADT\^(A\d\d)\|/.exec(message)?.[1] ?? '');

test('a seed always makes the same system', () => {
  expect(makeHealthSystem('system-7')).toEqual(systems[6]);
});

test('the systems have every story, kind of facility, sender and trigger', () => {
  const seen = (of: (system: (typeof systems)[number]) => readonly string[]) =>
    [...new Set(systems.flatMap(of))].sort();
  expect(seen(({ stories }) => stories)).toEqual(Object.keys(STORIES).sort());
  expect(seen(({ system }) => system.facilities.map(({ kind }) => kind))).toEqual([
    'ACUTE',
    'EMERGENCY_ONLY',
    'LTAC',
    'REHAB',
    'SNF',
  ]);
  expect(seen(({ system }) => [system.sender.visitKey])).toEqual(['PID-18', 'PV1-19', 'none']);
  expect(seen(({ messages }) => triggersOf(messages)).join(' ')).toBe(
    'A01 A02 A03 A04 A05 A06 A07 A08 A11 A12 A13 A18 A21 A22 A31 A34 A38 A40 A47',
  );
});

test('the truth is known after most messages, and always after the last one', () => {
  for (const { messages, truths } of systems) {
    expect(truths).toHaveLength(messages.length + 1);
    expect(truths.at(-1)).not.toBeNull();
  }
  const known = systems.flatMap(({ truths }) => truths).filter((truth) => truth !== null);
  expect(known.length / systems.flatMap(({ truths }) => truths).length).toBeGreaterThan(0.95);
});

test('facilities that number their patients independently give the same number to different people', () => {
  const shared = systems.filter(({ truths }) => {
    const names = (truths.at(-1)?.patients ?? []).map((line) => line.split(' ').slice(1, 3).join(' '));
    const numbers = new Set(names.map((name) => name.split(' ')[0]));
    return numbers.size < new Set(names).size;
  });
  expect(shared.length).toBeGreaterThan(10);
});
