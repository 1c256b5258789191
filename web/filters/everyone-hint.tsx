import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { call } from '../api/call.ts';
import { useNavigate } from '../router/hooks.ts';
import { patientsPath } from '../session/paths.ts';
import { useSession } from '../session/session.ts';
import { keepTyped } from '../session/typed-memory.ts';
import { filterCount, noFilters } from './criteria.ts';
import classes from './filter-chips.module.css';
import { typedOf } from './filter-search.ts';
import { parametersOf } from './search-parameters.ts';
import type { ListFilters } from './use-filters.ts';

/**
 * Says how many patients a typed name or birth date has among everyone, where the list is only a part of them: "1 here, 3 among all
 * patients". `here`: how many rows the list has; null while unknown.
 */
export const EveryoneHint = ({ filters, here }: { filters: ListFilters; here: number | null }) => {
  const { user, can } = useSession();
  const navigate = useNavigate();
  const { criteria, kind, search } = filters;
  const { text, dateOfBirth } = criteria;
  const typed = typedOf(criteria);
  const ofTyped = Object.keys(typed).length;
  const isPart = kind.context !== 'ALL' || filterCount(criteria) > ofTyped || search.group !== undefined;
  const { data } = useQuery({
    queryKey: ['everyone', text, dateOfBirth],
    queryFn: () =>
      call('POST /api/patients/search', {
        body: parametersOf({ ...noFilters(1), text, dateOfBirth }, { context: 'ALL' }),
      }),
    enabled: ofTyped > 0 && isPart && can('canViewPatients'),
    // What was typed isn't kept longer than it is shown.
    gcTime: 0,
  });
  if (!data || here === null || data.total <= here) return null;
  const show = (): void =>
    void navigate({
      to: patientsPath(user),
      search: { view: 'ALL_PATIENTS' },
      state: { typed: keepTyped(typed) },
    });
  return (
    <li>
      {here.toLocaleString('en-US')} here, {data.total.toLocaleString('en-US')} among all patients:{' '}
      <Anchor component="button" size="xs" className={classes.clear} onClick={show}>
        show
      </Anchor>
    </li>
  );
};
