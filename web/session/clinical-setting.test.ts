import { expect, test } from 'vitest';
import type { User } from '#contract/accounts.ts';
import { APPLICATION_EXPERIENCES } from '#contract/experiences.ts';
import { lacksClinicalSetting } from './clinical-setting.ts';

const user = (changes: Partial<User>): User =>
  ({ applicationExperience: 'JANUS', patientId: null, primaryClinicalSetting: null, ...changes }) as User;

test('only Anahit users and their enterprise users choose a primary clinical setting, once', () => {
  const asked = APPLICATION_EXPERIENCES.filter((one) => lacksClinicalSetting(user({ applicationExperience: one })));
  expect(asked).toEqual(['ANAHIT', 'ANAHIT_ENTERPRISE_SSO']);
  expect(lacksClinicalSetting(user({ applicationExperience: 'ANAHIT', primaryClinicalSetting: 'ED' }))).toBe(false);
});
