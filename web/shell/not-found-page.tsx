import { Anchor, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTitle } from '../ui/use-title.ts';
import classes from './shell.module.css';

/** For every path that is no page, or none of this user's. */
export const NotFoundPage = () => {
  useTitle('This page does not exist');
  return (
    <div className={classes.page}>
      <Title order={1}>This page does not exist</Title>
      <Text mt="sm" c="dimmed">
        The address may be mistyped, or the page belongs to another product than yours.
      </Text>
      <Anchor component={Link} to="/" mt="md" display="inline-block">
        Go To Home Page
      </Anchor>
    </div>
  );
};
