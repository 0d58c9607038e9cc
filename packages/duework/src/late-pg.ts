export { default } from '@duework/cli/late-pg';
