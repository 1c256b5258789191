import { describe, expect, test } from 'vitest';
import { join, sql } from './sql.ts';

describe('sql', () => {
  test('values become parameters, never text', () => {
    const statement = sql`select * from person where family = ${"O'Neil; --"} and id = ${7}`;
    expect(statement.text).toBe('select * from person where family = $1 and id = $2');
    expect(statement.values).toEqual(["O'Neil; --", 7]);
  });

  test('fragments nest, and their parameters are renumbered', () => {
    const open = sql`status = any(${['NEW']})`;
    const mine = sql`(${open} or owner = ${5})`;
    const statement = sql`select 1 from ping where group_id = ${3} and ${mine} limit ${50}`;
    expect(statement.text).toBe('select 1 from ping where group_id = $1 and (status = any($2) or owner = $3) limit $4');
    expect(statement.values).toEqual([3, ['NEW'], 5, 50]);
  });

  test('adjacent fragments keep their order', () => {
    expect(sql`${sql`a = ${1}`}${sql` and b = ${2}`}`).toMatchObject({ text: 'a = $1 and b = $2', values: [1, 2] });
  });

  test('join puts the separator between fragments only', () => {
    const statement = sql`where ${join([sql`a = ${1}`, sql`b = ${2}`, sql`c`], ' and ')}`;
    expect(statement).toMatchObject({ text: 'where a = $1 and b = $2 and c', values: [1, 2] });
    expect(join([], ', ').text).toBe('');
  });
});
