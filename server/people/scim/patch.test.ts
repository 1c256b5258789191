import { describe, expect, test } from 'vitest';
import { patchGroup, patchUser, type UserState } from './patch.ts';

const ada: UserState = {
  userName: 'ada@lakeshore.test',
  externalId: null,
  givenName: 'Ada',
  familyName: 'Obi',
  title: 'Nurse',
  active: true,
};

describe('an account', () => {
  test.each([
    ['Okta deactivates', [{ op: 'replace', value: { active: false } }], { active: false }],
    ['Entra ID deactivates', [{ op: 'Replace', path: 'active', value: 'False' }], { active: false }],
    ['a name within an object', [{ op: 'replace', path: 'name', value: { familyName: 'Eze' } }], { familyName: 'Eze' }],
    ['a name as a path', [{ op: 'Add', path: 'name.givenName', value: 'Adaeze' }], { givenName: 'Adaeze' }],
    [
      'a path as a key',
      [{ op: 'replace', value: { 'name.givenName': 'Adaeze', title: '' } }],
      { givenName: 'Adaeze', title: null },
    ],
    [
      'a schema before the attribute',
      [{ op: 'replace', path: 'urn:ietf:params:scim:schemas:core:2.0:User:title', value: 'Lead' }],
      { title: 'Lead' },
    ],
    ['a title that goes', [{ op: 'remove', path: 'title' }], { title: null }],
    ['an external id', [{ op: 'add', path: 'externalId', value: '00u1' }], { externalId: '00u1' }],
    [
      'what is not kept',
      [
        { op: 'add', path: 'phoneNumbers[type eq "work"].value', value: '+1 555 0100' },
        {
          op: 'add',
          path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
          value: 'Cardiology',
        },
        { op: 'add', value: { 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'x' } } },
      ],
      {},
    ],
  ])('%s', (_, operations, changed) => {
    expect(patchUser(ada, operations as never)).toEqual({ ...ada, ...changed });
  });

  test.each([
    [{ op: 'move', path: 'title', value: 'x' }, 'invalidSyntax'],
    [{ op: 'remove' }, 'noTarget'],
    [{ op: 'remove', path: 'userName' }, 'mutability'],
    [{ op: 'replace', path: 'title[', value: 'x' }, 'invalidPath'],
    [{ op: 'replace', path: 'title', value: 3 }, 'invalidValue'],
    [{ op: 'replace', path: 'active', value: 'perhaps' }, 'invalidValue'],
    [{ op: 'replace', value: 'x' }, 'invalidValue'],
  ])('%j is refused', (operation, scimType) => {
    expect(() => patchUser(ada, [operation as never])).toThrow(expect.objectContaining({ scimType }));
  });
});

describe('members of a group', () => {
  const sets = (operations: unknown[]) => {
    const { members, added, removed, displayName } = patchGroup(operations as never);
    return { members: members && [...members], added: [...added], removed: [...removed], displayName };
  };

  test('Okta and Entra ID add and remove', () => {
    const operations = [
      { op: 'Add', path: 'members', value: [{ value: '1' }, { value: '2' }] },
      { op: 'remove', path: 'members[value eq "2"]' },
      { op: 'Remove', path: 'members', value: [{ value: '3' }] },
      { op: 'replace', value: { id: '9', displayName: 'Nurses' } },
    ];
    expect(sets(operations)).toEqual({ members: null, added: ['1'], removed: ['2', '3'], displayName: 'Nurses' });
  });

  test('all are replaced, or go', () => {
    expect(sets([{ op: 'replace', path: 'members', value: [{ value: '1' }] }]).members).toEqual(['1']);
    expect(sets([{ op: 'remove', path: 'members' }]).members).toEqual([]);
    const both = [
      { op: 'replace', path: 'members', value: [{ value: '1' }] },
      { op: 'add', path: 'members', value: { value: '2' } },
    ];
    expect(sets(both).members).toEqual(['1', '2']);
  });

  test('are found by their value only', () => {
    const one = { op: 'replace', path: 'members[value eq "2"]', value: { value: '3' } };
    expect(() => sets([one])).toThrow(expect.objectContaining({ scimType: 'mutability' }) as Error);
    const operation = { op: 'remove', path: 'members[display eq "Ada"]' };
    expect(() => patchGroup([operation as never])).toThrow(expect.objectContaining({ scimType: 'noTarget' }));
  });
});
