/** The doctor, apart: with it comes the schema that it expects. */
export { runDoctor } from '@duework/operate';
