import type { User } from '#contract/accounts.ts';
import type { ApplicationExperience } from '#contract/experiences.ts';

const EXPERIENCES_WITH_SETTING: readonly ApplicationExperience[] = ['ANAHIT', 'ANAHIT_ENTERPRISE_SSO'];

/** Whether users of this experience have a primary clinical setting. */
export const hasClinicalSetting = ({ applicationExperience }: User): boolean =>
  EXPERIENCES_WITH_SETTING.includes(applicationExperience);

/** Whether the user has yet to choose a primary clinical setting. */
export const lacksClinicalSetting = (user: User): boolean =>
  user.primaryClinicalSetting === null && hasClinicalSetting(user);
