import { Button } from '@mantine/core';
import classes from '../admin/admin.module.css';
import { Link } from '../router/link.tsx';
import { adminPath } from '../session/paths.ts';
import { useSession } from '../session/session.ts';
import { AddressText } from '../ui/address-text.tsx';
import { Empty } from '../ui/states.tsx';
import type { Report } from './use-report.ts';

/** A user's name, which leads to where their access is changed. */
export const UserLink = ({
  user: { id, firstName, lastName },
  more,
}: {
  user: { id: string; firstName: string; lastName: string };
  /** A second line. */
  more: string;
}) => {
  const { user } = useSession();
  return (
    <>
      <Link to={`${adminPath(user)}/users`} search={{ user: Number(id) }} className={classes.opener}>
        {lastName}, {firstName}
      </Link>
      <div className={classes.dim}>
        <AddressText text={more} />
      </div>
    </>
  );
};

/** Said in place of the rows where none match. */
export const NoRows = ({ title, report: { filterCount, paging } }: { title: string; report: Report<never> }) => (
  <Empty
    title={title}
    action={
      filterCount > 0 && (
        <Button size="xs" variant="default" onClick={paging.clear}>
          Clear all
        </Button>
      )
    }
  >
    Search looks at names and email addresses.
  </Empty>
);
