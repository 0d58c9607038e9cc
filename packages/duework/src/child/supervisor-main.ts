/** The process of an isolated attempt. */
import '@duework/isolation/supervisor';
