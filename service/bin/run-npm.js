'use strict';
// Runs npm for scripts that may run on an old Node. Written in old JavaScript.

var childProcess = require('child_process');
var fs = require('fs');

/** Shortens npm's default retry delays, which add up to more than a minute without a network. */
var RETRIES = ['--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000'];
var NETWORK =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED/;

/** Resolves with the exit code and the beginning of the output. Prints nothing. */
function runNpm(args, cwd) {
  var command = npmCommand();
  var quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  return new Promise(function (resolve) {
    var child = childProcess.spawn(command.file, command.args.concat(args, quiet, RETRIES), {
      cwd: cwd,
      env: cleanEnvironment(process.env),
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: command.shell,
    });
    var output = '';
    function collect(chunk) {
      output = (output + chunk).slice(0, 8000);
    }
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('error', function (error) {
      resolve({ code: 1, output: output + error.message });
    });
    child.on('close', function (code) {
      resolve({ code: code === null ? 1 : code, output: output });
    });
  });
}

/**
 * Returns the npm that started this process, on the Node that runs it, because the Node on the path
 * may be one that the install replaces.
 */
function npmCommand() {
  var npm = process.env.npm_execpath;
  if (npm === undefined || !/npm-cli\.c?js$/.test(npm)) {
    var windows = process.platform === 'win32';
    return { file: windows ? 'npm.cmd' : 'npm', args: [], shell: windows };
  }
  var node = process.env.npm_node_execpath;
  var usable = node !== undefined && fs.existsSync(node);
  return { file: usable ? node : process.execPath, args: [npm], shell: false };
}

/** Removes options from the outer npm that would redirect or reduce the install. */
function cleanEnvironment(env) {
  var dropped =
    /^npm_config_(prefix|local_prefix|global_prefix|global|location|workspaces?|include_workspace_root|json|silent|omit|only|production|dry_run|ignore_scripts|package|package_lock_only)$/i;
  var clean = {};
  Object.keys(env).forEach(function (name) {
    if (!dropped.test(name)) clean[name] = env[name];
  });
  return clean;
}

/** Describes a failed run: the cause in one line, then npm's own lines. */
function npmProblem(result) {
  var lines = result.output.trim().split('\n').filter(isRelevant).slice(0, 12);
  var cause = NETWORK.test(result.output)
    ? 'Could not download packages: check the network and access to the npm registry.'
    : 'Could not install packages.';
  return [cause, 'npm output:'].concat(lines.map(indent)).join('\n');
}

/** Returns false for stack frames in npm's own code. */
function isRelevant(line) {
  return !/^npm error\s+(at |$)/.test(line);
}

function indent(line) {
  return '  ' + line;
}

module.exports = { runNpm: runNpm, npmProblem: npmProblem, cleanEnvironment: cleanEnvironment };
