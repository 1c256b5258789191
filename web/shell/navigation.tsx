import { ActionIcon, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { experienceBase } from '#contract/experiences.ts';
import { countsQuery } from '../inbox/counts.ts';
import { reviewCountQuery } from '../reviews/review-queries.ts';
import {
  adminPath,
  feedsPath,
  inboxPath,
  lengthOfStayPath,
  patientsPath,
  rostersPath,
  whatsNewPath,
} from '../session/paths.ts';
import { useSession } from '../session/session.ts';
import { LAUNCHER_ID } from '../support/launcher.ts';
import {
  IconHourglassHigh,
  IconInbox,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconNews,
  IconPlug,
  IconTableImport,
  IconUserSearch,
  IconUsers,
} from '../ui/icons.ts';
import classes from './navigation.module.css';
import { useWidgetHere } from './use-widget-here.ts';

/** Opens the product-updates widget or, where the page has none, our own page. */
const ProductUpdates = () => {
  const { user } = useSession();
  const widget = useWidgetHere();
  const inside = (
    <>
      <IconNews size={18} stroke={1.75} aria-hidden />
      <span className={classes.label}>What’s new</span>
    </>
  );
  return widget ? (
    <UnstyledButton id={LAUNCHER_ID} className={classes.link}>
      {inside}
    </UnstyledButton>
  ) : (
    <Link to={whatsNewPath(user)} id={LAUNCHER_ID} className={classes.link} title="What’s new">
      {inside}
    </Link>
  );
};

/** The pages that the user may open, with the counts of what waits there. */
const usePages = () => {
  const { user, can } = useSession();
  const { data: counts } = useQuery({ ...countsQuery, enabled: can('canViewPings') });
  const reviews = useQuery(reviewCountQuery).data?.open ?? 0;
  const hasLists = experienceBase(user.applicationExperience) !== '/ehr';
  return [
    {
      to: inboxPath(user),
      label: 'Pings',
      Icon: IconInbox,
      shown: can('canViewPings'),
      count: counts?.new ?? null,
      countWord: 'new',
    },
    {
      to: patientsPath(user),
      label: 'Patients',
      Icon: IconUserSearch,
      shown: hasLists && can('canViewPatients'),
      count: null,
      countWord: '',
    },
    {
      to: lengthOfStayPath(user),
      label: 'Length of stay',
      Icon: IconHourglassHigh,
      shown: hasLists && can('canViewPatients') && can('canViewLengthOfStay'),
      count: null,
      countWord: '',
    },
    {
      to: rostersPath(user),
      label: 'Rosters',
      Icon: IconTableImport,
      shown: can('canUploadRoster'),
      count: null,
      countWord: '',
    },
    {
      to: feedsPath(user),
      label: 'Feeds',
      Icon: IconPlug,
      shown: can('canManageUsers'),
      count: reviews > 0 ? reviews : null,
      countWord: 'to review',
    },
    { to: adminPath(user), label: 'Admin', Icon: IconUsers, shown: can('canManageUsers'), count: null, countWord: '' },
  ].filter(({ shown }) => shown);
};

/** The pages that the user may open: on the left, or at the bottom on a phone. */
export const Navigation = ({ collapsed, toggle }: { collapsed: boolean; toggle: () => void }) => {
  const pages = usePages();
  const Toggle = collapsed ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse;
  return (
    <nav className={classes.nav} aria-label="Pages" data-collapsed={collapsed || undefined}>
      <ul>
        {pages.map(({ to, label, Icon, count, countWord }) => (
          <li key={to}>
            <Link
              to={to}
              className={classes.link}
              activeOptions={{ includeSearch: false, exact: to === '/hospital' }}
              title={collapsed ? label : undefined}
            >
              <Icon size={18} stroke={1.75} aria-hidden />
              <span className={classes.label}>{label}</span>
              {count !== null && (
                <span className={classes.count}>
                  {count}
                  <span className={classes.countWord}> {countWord}</span>
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
      <div className={classes.foot}>
        <ProductUpdates />
        <ActionIcon
          className={classes.collapse}
          aria-label={collapsed ? 'Expand sidebar' : 'Collapse sidebar'}
          aria-expanded={!collapsed}
          onClick={toggle}
        >
          <Toggle size={18} stroke={1.75} aria-hidden />
        </ActionIcon>
      </div>
    </nav>
  );
};
