import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { profilePath, useSession } from '../session/session.ts';
import { Banner } from '../ui/banner.tsx';

/** "Your password expires in 5 days." */
export const PasswordNotice = ({ days }: { days: number }) => {
  const { user } = useSession();
  const when = days <= 0 ? 'today' : days === 1 ? 'tomorrow' : `in ${days} days`;
  return (
    <Banner kind="WARNING">
      Your password expires {when}.{' '}
      <Anchor component={Link} to={profilePath(user)} inherit underline="always">
        Change it
      </Anchor>
    </Banner>
  );
};
