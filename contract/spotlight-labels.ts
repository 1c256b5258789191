/** What the spotlights are called. Without zod: the browser loads it as it is. */
import type { SpotlightName } from './spotlights.ts';

export const SPOTLIGHT_LABELS: Record<SpotlightName, string> = {
  readmissions: '30-day readmissions',
  'plan-readmissions': '30-day readmissions with observation',
  'admissions-and-ed-use': 'Admissions and ED use',
  'length-of-stay': 'Length of stay',
  'follow-up': 'Follow-up in time',
  'alert-load': 'Alert load',
  'time-to-resolve': 'Time to resolve',
  'feed-timeliness': 'How soon events arrive',
};
