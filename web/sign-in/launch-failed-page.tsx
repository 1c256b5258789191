import { Anchor, Text } from '@mantine/core';
import { useLocation } from '../router/hooks.ts';
import { useTitle } from '../ui/use-title.ts';
import { AccountFrame, Problem } from './account-frame.tsx';
import { catalogueMessage } from './sign-in-steps.ts';

const TITLE = "You're not signed in";

/** Shown in an EHR's frame, where no one can sign in: why the launch failed, and a link out of the frame. */
export const LaunchFailedPage = () => {
  const { search } = useLocation();
  useTitle(TITLE);
  return (
    <AccountFrame title={TITLE}>
      <Problem message={catalogueMessage((search as { error?: unknown }).error)} />
      <Text>Open Tidings from the EHR again, or sign in outside the EHR.</Text>
      <Text>
        <Anchor href="/login" target="_blank" rel="noopener" inherit underline="always">
          Open sign-in in a new window
        </Anchor>
      </Text>
    </AccountFrame>
  );
};
