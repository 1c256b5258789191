import { expect, it } from 'vitest';
import { mayBeMedicare } from './medicare.ts';

const TODAY = '2026-11-25';
const of = (company: string) => ({ payers: [{ company }], insurance: [] });
const unknown = { payers: [], insurance: [] };

it.each([
  ['Medicare as the payer, at any age', { ...of('MEDICARE PART A'), birthDate: '1990-01-01' }, true],
  ['another payer, at any age', { ...of('Aetna PPO'), birthDate: '1940-01-01' }, false],
  ['Medicaid alone, at 65 or more', { ...of('Ohio Medicaid'), birthDate: '1940-01-01' }, true],
  ['Medicaid alone, before', { ...of('Ohio Medicaid'), birthDate: '1980-01-01' }, false],
  ['Medicare on a list, without a payer', { payers: [], insurance: ['Medicare'], birthDate: '1990-01-01' }, true],
  ['another plan on a list', { payers: [], insurance: ['Aetna PPO'], birthDate: '1940-01-01' }, false],
  ['65 today, without a payer', { ...unknown, birthDate: '1961-11-25' }, true],
  ['65 tomorrow, without a payer', { ...unknown, birthDate: '1961-11-26' }, false],
  ['an unknown birth date', { ...unknown, birthDate: null }, true],
])('Medicare is possible or not: %s', (_, coverage, expected) => {
  expect(mayBeMedicare(coverage, TODAY)).toBe(expected);
});
