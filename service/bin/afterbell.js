#!/usr/bin/env node
'use strict';
// Written in old JavaScript, so that a Node that is too old can still parse it and print an explanation.
// If the project has a new enough Node of its own, or npm can download one, this file relaunches itself
// on that one.
const childProcess = require('child_process');
const nodeModule = require('module');
const path = require('path');
const localNode = require('./local-node.js');

const REQUIRED = '^24.19 || >=26';

/**
 * Runs this file on another Node, with the same streams, signals and exit code. The extra channel
 * carries no data: when it closes, the child knows that this process was killed.
 */
function relaunch(node) {
  const child = childProcess.spawn(node, process.argv.slice(1), {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: Object.assign({}, process.env, { AFTERBELL_RELAUNCHED: '1' }),
  });
  ['SIGINT', 'SIGTERM', 'SIGHUP'].forEach(function (signal) {
    process.on(signal, function () {
      child.kill(signal);
    });
  });
  child.on('exit', function (code, signal) {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

function rejectNode() {
  process.stderr.write(
    'afterbell needs Node ' +
      REQUIRED +
      '; this is ' +
      process.version +
      ' (' +
      process.execPath +
      ').\n' +
      'Fix: install Node 24 from https://nodejs.org and try again. In a clone on Linux, ' +
      '"npm install" also installs a suitable Node.\n',
  );
  process.exit(1);
}

function fail(error) {
  process.stderr.write('afterbell could not start: ' + (error && error.message) + '\n');
  process.exit(1);
}

/** Cache of compiled code, which halves the processor time of later starts. */
const COMPILE_CACHE = path.join(__dirname, '..', 'node_modules', '.cache', 'compiled');

if (localNode.isNewEnough(process.version)) {
  // Has no effect if the folder is not writable, as in a read-only image.
  nodeModule.enableCompileCache(COMPILE_CACHE);
  import('../src/cli/main.ts')
    .then(function (main) {
      return main.main();
    })
    .catch(fail);
} else {
  const node = localNode.findNode();
  if (node !== null) relaunch(node);
  else
    localNode
      .downloadNode()
      .then(function (downloaded) {
        if (downloaded === null) rejectNode();
        else relaunch(downloaded);
      })
      .catch(fail);
}
