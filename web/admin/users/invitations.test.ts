import { expect, test } from 'vitest';
import { readInvitations } from './invitations.ts';

test('a list is read as spreadsheets and mail programs copy it', () => {
  const lines = readInvitations(
    [
      'Ana@Lakeshore.example, Ana, Reyes, RN',
      'kofi@lakeshore.example\tKofi\tMensah',
      '',
      'Rosa van der Berg <rosa@lakeshore.example>',
      '"Osei, Ama" <ama@lakeshore.example>',
    ].join('\r\n'),
  );
  expect(lines.map(({ invitation }) => invitation)).toEqual([
    { username: 'ana@lakeshore.example', firstName: 'Ana', lastName: 'Reyes', title: 'RN' },
    { username: 'kofi@lakeshore.example', firstName: 'Kofi', lastName: 'Mensah', title: null },
    { username: 'rosa@lakeshore.example', firstName: 'Rosa van der', lastName: 'Berg', title: null },
    { username: 'ama@lakeshore.example', firstName: 'Ama', lastName: 'Osei', title: null },
  ]);
});

test('each line that cannot be used has an error and its line number', () => {
  const lines = readInvitations(
    'Ana Reyes\nkofi@lakeshore.example\nb@x.example,B,C\n\nB@x.example,B,C\nd@x.example,D,E,F,G',
  );
  expect(lines.map(({ line, error }) => [line, error?.slice(0, 32) ?? null])).toEqual([
    [1, 'Start with an email address.'],
    [2, 'First or last name is missing. E'],
    [3, null],
    [5, 'Same email address as line 3.'],
    [6, 'Too many parts. Enter email, fir'],
  ]);
});
