/** What single environment variables may be, and what they are read as. */
import { z } from 'zod';
import { isNetwork } from './network/networks.ts';

export const port = (fallback: number) =>
  z
    .string()
    .default(String(fallback))
    .refine((text) => /^\d{1,5}$/.test(text) && Number(text) <= 65535, 'must be a whole number from 0 to 65535')
    .transform(Number);
export const hours = z
  .string()
  .default('12')
  .refine((value) => /^\d{1,2}$/.test(value) && +value >= 1 && +value <= 24, 'must be a whole number from 1 to 24')
  .transform(Number);
export const onOff = z.enum(['on', 'off'], "must be 'on' or 'off'").transform((value) => value === 'on');
export const url = (scheme: RegExp, what: string) =>
  z.string().refine((value) => URL.canParse(value) && scheme.test(value), `must be ${what}`);

/** Whether it is one, and its password is all in it: one with / ? or # ends there, and what follows would be a path with an @. */
function isDatabaseUrl(value: string): boolean {
  if (!/^postgres(ql)?:/.test(value) || !URL.canParse(value)) return false;
  const { username, password, pathname, search, hash } = new URL(value);
  const endsEarly = username === '' && `${pathname}${search}${hash}`.includes('@');
  return !endsEarly && !/%(?![\da-f]{2})/i.test(username + password);
}

export const networkList = z
  .string()
  .default('')
  .transform((value) => value.split(',').flatMap((part) => part.trim() || []))
  .refine((list) => list.every(isNetwork), 'must be a comma-separated list of addresses or networks');

/** Names of hosts, as in the address of a page. */
export const hostList = z
  .string()
  .default('')
  .transform((value) => value.split(',').flatMap((part) => part.trim().toLowerCase() || []))
  .refine(
    (list) => list.every((host) => /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(host)),
    'must be a comma-separated list of host names',
  );

export const databaseUrl = z
  .string()
  .refine(
    isDatabaseUrl,
    'must be a URL that starts with postgres://; in its password, write / as %2F, ? as %3F, # as %23 and % as %25',
  );
