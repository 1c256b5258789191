/** PV1-36 as a UB-04 patient discharge status: by the feed's map, as a code, or from words that mean only one thing. */
import { isDispositionCode } from '#contract/dispositions.ts';
import type { FeedSettings } from '#contract/feed-settings.ts';
import { type ReadingContext, textOf, type Update } from './field-values.ts';
import type { Segment } from './message.ts';

/**
 * Returns a code (`contract/dispositions.ts`), or the text as sent if its meaning is unknown. The feed's map decides before the digits, and the digits before the
 * words. Some senders put their own code first and the words into the second component, or words alone.
 */
export function readDisposition(
  pv1: Segment,
  { dispositionMap }: FeedSettings,
  { warn }: ReadingContext,
): Update<string> {
  if (textOf(pv1, 36) === null) return null;
  const sent = COMPONENTS.flatMap((component) => textOf(pv1, 36, component) ?? []);
  if (sent.length === 0) return undefined;
  const status = sent.map((text) => statusOfDisposition(text, dispositionMap)).find((found) => found !== null);
  if (status === undefined) warn("PV1-36 isn't in the feed's disposition map (shown as sent)");
  return status ?? sent[0];
}

/** Code and text, then the alternate ones (CWE, HL7 v2.8). */
const COMPONENTS = [1, 2, 4, 5];

/** Returns the status that a code or words mean, by the feed's map first; null if their meaning is unknown. */
export function statusOfDisposition(text: string, map: FeedSettings['dispositionMap']): string | null {
  const name = text.toUpperCase();
  if (Object.hasOwn(map, name)) return map[name] ?? null;
  const digits = /^\d\d?$|^\d\d(?= ?[:-]? ?[A-Z])/.exec(name)?.[0].padStart(2, '0');
  if (digits !== undefined) return isDispositionCode(digits) ? digits : null;
  const words = wordsOf(name);
  return MEANINGS.find(([pattern]) => pattern.test(words))?.[1] ?? null;
}

/** Returns the status that words of staff mean, such as 'AMA'; null if their meaning is unknown. */
export const dispositionInWords = (text: string): string | null => statusOfDisposition(text, {});

/** 'HOME W/SELF-CARE' → 'HOME WITH SELF CARE'. */
const wordsOf = (name: string): string =>
  name
    .replaceAll(/\bW\/O\b/g, ' WITHOUT ')
    .replaceAll(/\bW\//g, ' WITH ')
    .replaceAll(/[^A-Z0-9]+/g, ' ')
    .trim();

/** Only these words may follow, so that INSURANCE EXPIRED or FUNERAL HOME are not taken for what they contain. */
const PLACE =
  '(?: (?:IN|AT|ON|A|AN|THE|OR|ED|ER|EMERGENCY|DEPARTMENT|DEPT|ROOM|HOSPITAL|HOME|FACILITY|MEDICAL|HOSPICE|ARRIVAL|ICU|UNIT|SURGERY|CORONER|MORGUE|AUTOPSY|NO|WITH|WITHOUT|PATIENT))*';
const PATIENT = '(?:PATIENT |PT )?';
const FROM = '(?: (?:FROM|IN|BY|THE|ED|ER|PATIENT))*';
const LEFT = '(?:PATIENT |PT )?(?:(?:DISCHARGED?|DISCH|DC|D C|SENT|LEFT|RELEASED|TRANSFER(?:RED)?) )?(?:TO )?';
const OTHER = '(?:AN? |ANOTHER )?';
const LEAVING = '(?:(?:PATIENT|PT|LEFT|LEAVE|LEAVING|SIGNED|OUT|DISCHARGED?|DISCH|DC|HOME) )*';
const SELF_CARE =
  '(?:(?: (?:OR|AND|WITH|TO))*(?: (?:SELF|SELFCARE|SELF CARE|ROUTINE|FAMILY|FAMILY CARE|OWN CARE))(?: CARE)?)?';

/** Words → status. The first that matches the whole text counts. */
const MEANINGS: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`^(?:PATIENT |PT )?(?:EXP|EXPIRED?|EXPIRATION|DECEASED?|DIED|DEAD|DEATH|DOA)${PLACE}$`), '20'],
  [new RegExp(`^${LEAVING}(?:AMA|AGAINST MEDICAL ADVI[CS]E)(?: DISCHARGED?)?$`), '07'],
  // UB-04 07 is care that the patient discontinued, too, but who left unseen refused no advice (contract/dispositions.ts).
  [new RegExp(`^${PATIENT}(?:LWBS|LWOBS|LEFT (?:WITHOUT|BEFORE) BEING SEEN)${FROM}$`), 'LWBS'],
  [
    new RegExp(
      `^${PATIENT}(?:LWOT|LBTC|LEFT WITHOUT TREATMENT|LEFT BEFORE TREATMENT(?: COMPLETED?)?|DISCONTINUED CARE)${FROM}$`,
    ),
    'LBTC',
  ],
  [new RegExp(`^${PATIENT}(?:ELOPED?|ELOPEMENT|AWOL)${FROM}$`), 'ELOPED'],
  [new RegExp(`^${LEFT}HOME${SELF_CARE}(?: ROUTINE)?(?: DISCHARGE)?$`), '01'],
  [/^(?:ROUTINE|SELF CARE)(?: (?:DISCHARGE|HOME|TO))*$/, '01'],
  [
    new RegExp(
      `^${LEFT}HOME (?:WITH |UNDER )?(?:HOME )?(?:HEALTH|HEALTHCARE|HH|HHC|HHA)(?: (?:CARE|AGENCY|SERVICES?|SVCS?))*$`,
    ),
    '06',
  ],
  // NUBC: 04 is used for assisted living facilities as well.
  [new RegExp(`^${LEFT}(?:AN? )?(?:ALF|ASSISTED LIVING(?: FACILITY)?)$`), '04'],
  [new RegExp(`^${LEFT}(?:A )?(?:SNF|SKILLED NURSING(?: FACILITY)?)$`), '03'],
  // What nursing facilities write: the places of the MDS (items R3a of MDS 2.0, A2105 of MDS 3.0). Those that stand for several codes are left out.
  [new RegExp(`^${LEFT}PRIVATE HOME(?: APT)?(?: WITH NO HOME HEALTH SERVICES)?$`), '01'],
  [new RegExp(`^${LEFT}PRIVATE HOME(?: APT)? WITH HOME HEALTH SERVICES$`), '06'],
  [new RegExp(`^${LEFT}${OTHER}(?:(?:GENERAL )?ACUTE(?: CARE)?|SHORT TERM(?: GENERAL| ACUTE CARE)?) HOSPITAL$`), '02'],
  [new RegExp(`^${LEFT}ANOTHER HOSPITAL$`), '02'],
  [
    new RegExp(
      `^${LEFT}${OTHER}(?:(?:INPATIENT )?REHAB(?:ILITATION)? HOSPITAL|INPATIENT REHAB(?:ILITATION)? FACILITY)$`,
    ),
    '62',
  ],
  [new RegExp(`^${LEFT}${OTHER}LONG TERM (?:ACUTE )?CARE HOSPITAL$`), '63'],
  [new RegExp(`^${LEFT}${OTHER}(?:INPATIENT )?PSYCHIATRIC (?:HOSPITAL|FACILITY)$`), '65'],
  [new RegExp(`^${LEFT}${OTHER}CRITICAL ACCESS HOSPITAL$`), '66'],
];
