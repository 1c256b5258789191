import { expect, test } from 'vitest';
import { readInvitations } from './invitations.ts';

test('a list is read as a spreadsheet or a mail program copies it', () => {
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

test('each line that cannot be used says why, by its number', () => {
  const lines = readInvitations(
    'Ana Reyes\nkofi@lakeshore.example\nb@x.example,B,C\n\nB@x.example,B,C\nd@x.example,D,E,F,G',
  );
  expect(lines.map(({ line, error }) => [line, error?.slice(0, 32) ?? null])).toEqual([
    [1, 'It does not begin with an e-mail'],
    [2, 'First and last name are missing:'],
    [3, null],
    [5, 'The same address stands in line '],
    [6, 'It has more than four parts: e-m'],
  ]);
});
